// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The group size that a kernel was written for, where its text shows one. An image is made before anybody says how it
// is launched; but kernels that place items in the grid by `group × 256 + item`, or have one element of a shared array
// for each item, are right for one size only. A second version of the group's function, for that size, has loops of
// known length.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/group/entry/group_function.h"

namespace lathe::detail {

struct GroupSizeVersion {
  std::array<std::uint32_t, 3> items{};  ///< along each axis
  bool certain = false;                  ///< with other sizes, groups would overlap or leave gaps
};

/// No value if nothing speaks for one size. `groupSpace` is the address space of shared
/// variables, which are still in place. A guess: the launch has to be compared with it.
std::optional<GroupSizeVersion> versionedGroupSize(const GroupFunction& group, unsigned groupSpace);

}  // namespace lathe::detail
