// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a kernel is cut: at every barrier, and where cutting makes the item loop the innermost one.
#pragma once

#include <vector>

#include "core/group/analysis/regions.h"

namespace llvm {
class Loop;
}

namespace lathe::detail {

class GroupUniformity;

/// Makes split points of the barriers of `function`: those of the group first, in program order, then those of
/// subgroups, the last one first. Calls of the group's barriers go; a subgroup's stays, in front of its split, and what
/// it returned is a call of `subgroupConverged` behind it.
std::vector<SplitPoint> splitAtBarriers(llvm::Function& function);

/// Whether `loop`'s body gains by an item loop inside it: each instruction could be one of vectors, as accesses of
/// neighbours are neighbours; or what keeps it from that are accesses of group-shared memory, which stays in the cache,
/// and neighbours walk other memory together. No split lies in it, and items do not all do the same. `shared` points to
/// the group-shared memory.
bool suitsItemLoop(const llvm::Loop& loop, llvm::ArrayRef<SplitPoint> splits, const GroupUniformity& uniformity,
                   const llvm::Value& shared);

/// Removes what splitAtBarriers() left of the subgroups' barriers in front of `splits`: for kernels in which items
/// never wait for each other apart.
void removeSubgroupBarriers(llvm::ArrayRef<SplitPoint> splits);

/// Adds splits that no barrier asks for, each where it pays and all items pass it alike. Needs rotated loops in
/// simplified form to find any.
void addProfitableSplits(llvm::Function& function, const llvm::Value& shared, unsigned subgroupSize,
                         std::vector<SplitPoint>& splits);

}  // namespace lathe::detail
