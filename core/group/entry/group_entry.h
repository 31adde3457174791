// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calling convention between work-group lowering (core/group) and a runtime whose "hardware" executes
// whole groups, such as host threads. Targets that have items in hardware never see it. No LLVM here: both sides
// include this file. The layout is part of the image format: change it only with `groupEntryVersion`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lathe::abi {

inline constexpr std::uint32_t groupEntryVersion = 2;
/// What an image with group entries lists among its requirements, so that no runtime calls entries of another version.
inline constexpr std::string_view groupEntryRequirement = "group_entry_2";
static_assert(groupEntryRequirement.back() - '0' == groupEntryVersion);

/// What a launch keeps to along each axis: 1 ≤ groupSize ≤ maxGroupExtent, groupCount ≥ 1, groupCount × groupSize <
/// maxGridItems. It makes 32-bit index arithmetic provably free of wrap-around; without that no address computed from
/// it would be known to be consecutive.
inline constexpr std::uint64_t maxGroupExtent = std::uint64_t{1} << 16;
inline constexpr std::uint64_t maxGridItems = (std::uint64_t{1} << 31) - maxGroupExtent;

/// Alignment of the shared block, of the dynamic part within it, and of the context block and each array in it.
inline constexpr std::size_t groupBlockAlign = 64;

/// What a run of groups, neighbours along x, needs to know of its launch. Passed by pointer; the callee does not keep
/// it.
struct GroupLaunch {
  std::uint32_t groupId[3];  ///< of the first group
  std::uint32_t groupSize[3];
  std::uint32_t groupCount[3];
  std::uint32_t dynamicSharedBytes;
  /// How many groups to run: groupId[0], groupId[0] + 1 and so on. At least 1; groupId[0] + groups ≤ groupCount[0].
  /// They use `shared` and `context` one after another, and nothing is said of the order of their items.
  std::uint32_t groups;
  std::uint32_t reserved;  ///< 0
  /// ResourceUse::sharedBytes rounded up to groupBlockAlign, then dynamicSharedBytes. Not initialised. Null if both are
  /// 0.
  alignas(8) void* shared;  // on machines of 32 bits, too
  /// Values that live across barriers: ResourceUse::contextBytes × paddedItems(groupSize) bytes, laid out as one array
  /// a value, so that neighbouring items are neighbours in memory. Null if contextBytes is 0.
  alignas(8) void* context;
};

static_assert(offsetof(GroupLaunch, groupSize) == 12);
static_assert(offsetof(GroupLaunch, groupCount) == 24);
static_assert(offsetof(GroupLaunch, dynamicSharedBytes) == 36);
static_assert(offsetof(GroupLaunch, groups) == 40);
static_assert(offsetof(GroupLaunch, shared) == 48);
static_assert(offsetof(GroupLaunch, context) == 56);
static_assert(sizeof(GroupLaunch) == 64);

/// Items of a group rounded up so that every context array starts aligned.
[[nodiscard]] constexpr std::uint64_t paddedItems(std::uint64_t items) noexcept {
  return (items + groupBlockAlign - 1) / groupBlockAlign * groupBlockAlign;
}

/// Runs every item of the launch's groups. `parameters` is the packed block described by EntryPoint::parameters.
using GroupEntry = void (*)(const void* parameters, const GroupLaunch* launch);

}  // namespace lathe::abi
