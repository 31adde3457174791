// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel on the GPU by Lathe's and by the peer's code: checked, then timed.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "case.h"

namespace lathe::bench::gpu {

enum Side : std::uint8_t { lathe, peer };

/// What one side's code takes: microseconds of a launch, and the resources of an item.
struct SideResult {
  double median = 0, lowerQuartile = 0, upperQuartile = 0;
  int registers = 0, localBytes = 0;
  std::size_t instructions = 0;  ///< 0: unknown
};

struct Outcome {
  std::string kernel;
  std::string failure;  ///< empty: right, and timed
  std::array<SideResult, 2> sides;
  /// The peer's time over Lathe's: above 1, Lathe's code is faster.
  [[nodiscard]] double ratio() const { return sides[peer].median / sides[lathe].median; }
};

struct ContestOptions {
  int device = 0;
  unsigned samples = 30;
  std::string code;         ///< the folder of writeCode()
  bool specialise = false;  ///< Lathe's side is compiled again for each launch (RawKernel::specialised)
};

/// Runs kernels of one kind, each with a line on standard output that readOutcome() understands. After a failure that
/// may have spoiled the device's context it returns before the last. To be called in a process of its own: a kernel
/// that faults ends a context, and one that never ends is killed after two minutes.
void runContests(const Kind& kind, const std::vector<std::string>& kernels, const ContestOptions& options);

/// An outcome in one line of runContests(); nothing for other lines.
[[nodiscard]] std::optional<Outcome> readOutcome(std::string_view line);

}  // namespace lathe::bench::gpu
