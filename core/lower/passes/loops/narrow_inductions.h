// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Induction variables of few bits, which LLVM's loop vectoriser takes for consecutive.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// Hides from LLVM's loop vectoriser that a value counts in fewer than 32 bits. It loads `table[i & 3]` as consecutive
/// elements under the condition that the two bits do not wrap around, and leaves that condition out where another one,
/// of a wider variable, is there: SCEVWrapPredicate::implies() (LLVM 22) compares starts and steps but not widths. The
/// condition would hold for few items only; elements at any index are what loops of more need. Loops whose
/// values are too wide for vectors on the target stay as they are.
///
///   before: %j = and i32 %i, 3
///   after:  %f = freeze i32 %i    %j = and i32 %f, 3
struct HideNarrowInductions : llvm::PassInfoMixin<HideNarrowInductions> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
