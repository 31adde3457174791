// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of all outcomes and what it comes to.
#pragma once

#include <vector>

#include "contest.h"

namespace lathe::bench::gpu {

struct ReportRow {
  const Kind* kind = nullptr;
  MakeCase make = nullptr;
  Outcome outcome;
};

/// Prints tables and a summary, with the share of `ceiling` (GB/s, 0: unknown) that copies, scales and triads of one
/// element an item reach. Returns the number of failures.
[[nodiscard]] unsigned report(const std::vector<ReportRow>& rows, double ceiling);

}  // namespace lathe::bench::gpu
