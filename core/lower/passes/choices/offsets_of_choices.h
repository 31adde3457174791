// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of a local structure that control flow chooses.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// Adds constant offsets to the addresses between which a phi chooses, where all are of local variables and only loaded
/// from. In a function that is given the variable's address, LLVM makes one load of those of each branch; once the
/// function is part of its caller, SROA takes such a load apart again, and the variable becomes registers, but not one
/// behind an offset, which is how a value of several words is loaded.
///
///   before: %p = phi ptr [%r.16, %bb1], [%r.32, %bb2]      %q = getelementptr i8, ptr %p, i64 4    load i32, ptr %q
///   after:  %q = phi ptr [%r.20, %bb1], [%r.36, %bb2]      load i32, ptr %q
struct OffsetsOfChoices : llvm::PassInfoMixin<OffsetsOfChoices> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
