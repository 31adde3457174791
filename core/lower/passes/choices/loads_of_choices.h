// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local variables between which control flow and conditions choose.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// Loads what phis and selects choose from each of the variables that they choose between, if all are local, and
/// chooses between the values: a phi's where the addresses come from. LLVM's SROA does so for loads from a phi of
/// variables and from a select of variables, but not where a phi chooses among selects, and not for copies of
/// structures: of a function that returns a reference to the greater of its arguments, the arguments stay in memory.
///
///   before: bb1: %s = select i1 %c, ptr %a, ptr %b      bb2: %p = phi ptr [%a, %bb0], [%s, %bb1]   load i64, ptr %p
///   after:  bb1: %x = load %a  %y = load %b  %s = select i1 %c, %x, %y
///           bb2: phi i64 [%z, %bb0], [%s, %bb1]
struct LoadsOfChoices : llvm::PassInfoMixin<LoadsOfChoices> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
