// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches around nothing, which only choose a value.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// Makes branches around an empty block selects, whatever their condition: SimplifyCFG keeps those that compare floats,
/// as a select can cost more than a branch. Where what lies between two exchanges is one block, the exchanges share
/// their barriers (shuffle_batches.h), each of which is worth more than that.
///
///   before: %eq = fcmp oeq …   br i1 %eq, label %empty, label %exit      exit: %x = phi [ %a, %empty ], [ %b, %entry ]
///   after:  %x = select i1 %eq, i32 %a, i32 %b                           br label %exit
struct FoldEmptyBranches : llvm::PassInfoMixin<FoldEmptyBranches> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
