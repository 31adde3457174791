// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that a loop over items leaves behind and that no item changes: which region comes next, and what is kept once
// for the group. Where a condition that is the same for all items chooses among them inside the loop, they look like
// values that go from item to item, and LLVM, which also copies the loop's end for each choice, makes no vectors of the
// loop. So the choice is made in front of it.
//
//   before: for x: { …; if (c) { keep = a; next = 1; } else next = 2; }    use(keep, next)
//   after:  k = c ? a : keep; n = c ? 1 : 2    for x: { … }    use(k, n)
//
// Where items differ in whether they set such a value, the loop only counts those that do, which is a reduction:
//
//   before: for x: { …; if (c(x)) keep = a; }    use(keep)
//   after:  set = 0    for x: { …; set += c(x); }    use(set != 0 ? a : keep)
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// For loops over items as item_loop.h marks them, whose slots are SSA values already. To run before jumps are
/// threaded.
struct UniformExitValuesPass : llvm::PassInfoMixin<UniformExitValuesPass> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
