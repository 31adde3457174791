// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convergence that functions and calls do not have.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// Removes `convergent` from functions that reach no instruction which needs it, and from calls of what is declared or
/// defined without it. Front ends write it everywhere, as a callee may have a barrier in it. LLVM's own passes take it
/// away late and never from calls of intrinsics; until then equal calls do not merge, and a loop with one is not
/// unrolled by a number that only the run knows.
///
///   before: %root = call float @llvm.sqrt.f32(float %x) convergent
///   after:  %root = call float @llvm.sqrt.f32(float %x)
struct DropConvergence : llvm::PassInfoMixin<DropConvergence> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

}  // namespace lathe::detail
