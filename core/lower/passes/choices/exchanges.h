// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that control flow exchanges.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// Makes selects of up to eight phis behind a condition whose ways are empty, if they have the same values by both in
/// another order, as two sorted keys and their values are exchanged or not. LLVM does so for two phis (SimplifyCFG),
/// above which a branch that a processor foresees is cheaper; items that take both ways of one have no gain by it, and
/// of selects LLVM makes minima and maxima.
///
///   before: br i1 %c, label %swap, label %end          swap: br label %end
///           end: %a = phi i32 [%y, %swap], [%x, %bb]   %b = phi i32 [%x, %swap], [%y, %bb]
///   after:  %a = select i1 %c, i32 %y, i32 %x          %b = select i1 %c, i32 %x, i32 %y
struct Exchanges : llvm::PassInfoMixin<Exchanges> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
