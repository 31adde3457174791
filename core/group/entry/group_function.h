// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two functions a kernel becomes: `k.group`, which runs the items of a row of groups and takes the kernel's
// parameters as arguments, so that what is known of them (noalias, alignment, ranges) stays known; and the entry `k`,
// which unpacks a launch for it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "llvm/IR/Function.h"

#include "core/group/entry/group_entry.h"

namespace lathe::detail {

/// What a launch guarantees.
inline constexpr std::uint64_t maxGroupSize = abi::maxGroupExtent;
inline constexpr std::uint64_t maxItems = abi::maxGridItems;

/// A kernel's body with its surroundings as arguments. `groupSize` and the like are by axis.
struct GroupFunction {
  llvm::Function* function = nullptr;
  std::array<llvm::Argument*, 3> groupId{};
  std::array<llvm::Argument*, 3> groupSize{};
  std::array<llvm::Argument*, 3> groupCount{};
  std::array<llvm::Argument*, 3> firstItem{};  ///< group id × group size: the position of the group's first item
  llvm::Argument* groups = nullptr;            ///< how many groups to run along x; the ids are those of the first
  /// Items along x that run as one: the group's, or those of all groups if they are joined. A placeholder; callers pass
  /// anything.
  llvm::Argument* rowItems = nullptr;
  unsigned subgroupSize = 32;
  std::optional<std::array<std::uint32_t, 3>> fixedSize;  ///< launches of other sizes do not get here
  llvm::Argument* dynamicSharedBytes = nullptr;
  llvm::Argument* shared = nullptr;
  llvm::Argument* context = nullptr;
};

/// Kernels so large that copies of their parts, made for speed alone, would double a compile that takes seconds
/// already.
bool isLarge(const GroupFunction& group);

/// Moves `kernel`'s body into a new internal function and replaces the indexing calls by arguments, item ids excepted.
/// `kernel` is left a declaration.
GroupFunction takeBody(llvm::Function& kernel);

/// Whether items tell groups along x apart by their position in the grid alone: then a row of groups can be run as if
/// it were one long group. `kernel` has no barrier and no group-shared memory.
bool seesGridAlongX(const GroupFunction& group);

/// The same function for groups of one known size: loops over its items have known lengths.
GroupFunction cloneForSize(const GroupFunction& group, const std::array<std::uint32_t, 3>& size);

/// Replaces the declaration `kernel`, of the type it had, by the entry of the same name that calls `fixed`, if there is
/// one and the launch has its size, or else `group`.
llvm::Function& writeEntry(llvm::Function& kernel, const GroupFunction& group, const GroupFunction* fixed);

}  // namespace lathe::detail
