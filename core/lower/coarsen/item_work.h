// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one item of a kernel does, as far as it decides whether several groups are faster jammed.
#pragma once

#include <cstdint>

#include "llvm/IR/Function.h"

#include "core/lower/coarsen/jam.h"

namespace lathe::detail {

/// Of the instructions that depend on the group; those of a loop count once. Sizes in bytes; of
/// accesses, those of memory that groups share.
struct ItemWork {
  std::uint64_t instructions = 0;
  std::uint64_t loaded = 0;
  /// Of those, what loops load that another loop loads again, from the start: a cache may have kept it.
  std::uint64_t reloaded = 0;
  /// The most between the addresses that neighbouring items access with one instruction, and the most that one
  /// accesses; UINT64_MAX where the distance is a number that only the launch knows.
  std::uint64_t reach = 0;
  std::uint64_t carried = 0;  ///< values that loops carry from turn to turn
  std::uint64_t shared = 0;   ///< of the group's variables
  bool loopsApart = false;    ///< groups run loops one after the other
};

[[nodiscard]] ItemWork workOf(const llvm::Function& kernel, const JamPlan& plan, const JamVocabulary& vocabulary);

}  // namespace lathe::detail
