// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops inside a loop over items, which each item leaves in its own time or all leave alike. LLVM makes vectors of
// innermost loops only, so such a loop would run item by item. Where it pays, a strip of items takes its iterations
// together instead: each iteration is a loop over the strip's lanes, which changes only those that go on, and
// iterations are taken while there is one that does. What an item has from iteration to iteration lies in arrays of the
// strip's width, which are vector registers in the end.
//
//   before: for x: a(x); while (c(x)) b(x); d(x)
//   after:  for x in steps of W:
//             for lane: a(x + lane)
//             do for lane: if (goes on[lane]) b(x + lane) while some lane goes on
//             for lane: d(x + lane)
//           for the rest of x: as before
//
// Where the number of iterations is known before the items' loop and the same for all items, the strip counts them:
// there is no mask, counters are kept once, and what they address is one place or neighbours for neighbours.
//
// Every item computes what it did, in its own order: results are the same to the last bit.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// For loops over items as item_loop.h marks them. To run before LLVM's vectoriser.
struct OuterLoopVectorisePass : llvm::PassInfoMixin<OuterLoopVectorisePass> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
