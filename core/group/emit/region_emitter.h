// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the function that runs a group: each region in its item loop, joined by branches that the group takes as a
// whole.
//
// While all items go the same way, control flow between regions is the kernel's own. Where items part (some return, or
// they come to different barriers), every item notes what it waits for, and `tracked` copies of the regions run the
// items that wait for them only; as soon as all items agree again, control goes back to the plain copies. If all that
// items do besides going on is to return or to wait for the rest at one barrier of the group, the next region is that
// of the rest; else, and where a vote asks who is left, schedule.h says which it is.
#pragma once

#include "core/group/entry/group_function.h"

namespace lathe::detail {

class LiveAcrossBarriers;
class GroupUniformity;
class RegionGraph;

/// Replaces the body of `group`, which `graph` and `live` describe, by one that runs all items of its groups, one
/// group after another or, `joined`, as if all were one.
void emitRegions(GroupFunction& group, const RegionGraph& graph, const LiveAcrossBarriers& live,
                 const GroupUniformity& uniformity, bool joined);

}  // namespace lathe::detail
