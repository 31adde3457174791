// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a kernel is cut: at every barrier, and where cutting makes the item loop the innermost one.
#pragma once

#include <vector>

#include "core/lower/work_group/regions.h"

namespace llvm {
class Loop;
}

namespace lathe::detail {

class GroupUniformity;

/// Removes the barriers of `function`; each leaves a split point: those of the group first, in program order, then
/// those of subgroups, the last one first.
std::vector<SplitPoint> splitAtBarriers(llvm::Function& function);

/// Whether each instruction of `loop`'s body could be one of vectors, were the item loop inside: accesses of neighbours
/// are neighbours. No split lies in it, and items do not all do the same.
bool bodyVectorises(const llvm::Loop& loop, llvm::ArrayRef<SplitPoint> splits, const GroupUniformity& uniformity);

/// Adds splits that no barrier asks for, each where it pays and all items pass it alike. Needs rotated loops in
/// simplified form to find any.
void addProfitableSplits(llvm::Function& function, std::vector<SplitPoint>& splits);

}  // namespace lathe::detail
