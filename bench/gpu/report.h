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

/// Prints both; the number of kernels that failed.
[[nodiscard]] unsigned report(const std::vector<ReportRow>& rows);

}  // namespace lathe::bench::gpu
