// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies to one of two local variables between which control flow or a condition chooses, and from one or other memory.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// Copies to or from each in a branch of its own, so that variables can become registers: LLVM's SROA looks through
/// such choices for loads and stores, and not for copies. Its SimplifyCFG makes them out of branches; copies to local
/// variables stay in theirs (nomerge).
///
///   before: %p = select i1 %c, ptr %a, ptr %b          memcpy(%p, %from, 80)
///   after:  br i1 %c, label %1, label %2    1: memcpy(%a, %from, 80)  br %3    2: memcpy(%b, %from, 80)  br %3
struct CopiesOfChoices : llvm::PassInfoMixin<CopiesOfChoices> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
