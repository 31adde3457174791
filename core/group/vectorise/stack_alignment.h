// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions whose vectors are wider than the stack is aligned align it themselves. The register allocator can no more
// when it finds that it must keep such a vector in memory, and without it each of them lies across two cache lines or
// not as the callers' frames happen to be large (measured on Zen 4 with 64 bytes: up to 1.3 times the time of a kernel).
//
//   before: define void @k.group(…)
//   after:  define void @k.group(…) "stackrealign"
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// To run behind the vectoriser.
struct StackAlignmentPass : llvm::PassInfoMixin<StackAlignmentPass> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
