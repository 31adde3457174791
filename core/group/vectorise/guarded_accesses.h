// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores under conditions, where the processor has no masked form of them: bytes and halves that are no
// neighbours, on many processors all. LLVM's vectoriser leaves a loop with one such load or two such stores as it is.
// So every item makes the access, those whose condition does not hold at a place that nobody else uses.
//
//   before: if (c) { a; v = *p; b(v); }      after: if (c) { a; at = p; } else at = &nothing;
//                                                   v = *at;
//                                                   if (c) b(v);
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// For innermost loops over items as item_loop.h marks them. To run before the vectoriser.
struct GuardedAccessesPass : llvm::PassInfoMixin<GuardedAccessesPass> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
