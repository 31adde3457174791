// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unrolling of loops by the descriptor's limits, in place of LLVM's own for the machine.
#pragma once

#include "llvm/IR/PassManager.h"

#include <lathe/sdk/target.h>

#include "core/descriptor/descriptor.h"

namespace lathe::detail {

/// Makes one case the default of a switch whose default cannot be reached, which looks like a second way out of a loop.
struct GiveDefaults : llvm::PassInfoMixin<GiveDefaults> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

/// Unrolls innermost loops up to the sizes of `limits`: all of a loop with a constant number of iterations, else as
/// many as fit and divide that number, else `limits.count` of them with a loop for the rest, which is unrolled too
/// where a loop around it runs it again and again. A loop that the source says something about is left to LLVM's
/// unroller, and so is one with barriers or shuffles in it that has a rest, unless all items of a subgroup leave it
/// together: by LLVM's analysis or because of a call that they make together. Where the number of iterations takes a
/// division by a number that is not known, a loop is unrolled only if loads of several iterations can then be issued
/// together (docs/gpu-kernels.md has the times). Loops must be in simplified, loop-closed form.
class UnrollLoops final : public llvm::PassInfoMixin<UnrollLoops> {
 public:
  UnrollLoops(UnrollLimits limits, const TargetHooks& hooks) : limits_(limits), hooks_(&hooks) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

 private:
  UnrollLimits limits_;
  const TargetHooks* hooks_;
};

}  // namespace lathe::detail
