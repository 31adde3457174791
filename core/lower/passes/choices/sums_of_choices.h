// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One number and a constant that control flow chooses.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// Makes phis of sums of one value and constants, or of that value itself, the sum of the value and a phi of the
/// constants, as for other integer operations that a constant leaves a value as it is with, where a ladder of at least
/// eight conditions leads there. Its branches are empty then, and take one jump and not two. LLVM does so only where
/// all branches add.
///
///   before: bb1: %a = add i32 %x, 4
///           bb2: %b = add i32 %x, 9
///           bb4: %p = phi i32 [%a, %bb1], [%b, %bb2], [%x, %bb3]
///
///   after:  bb4: %c = phi i32 [4, %bb1], [9, %bb2], [0, %bb3]
///                %p = add i32 %x, %c
struct SumsOfChoices : llvm::PassInfoMixin<SumsOfChoices> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
