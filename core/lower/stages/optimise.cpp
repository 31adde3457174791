// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage optimise: what follows simplification in the target machine's pipeline at the job's level. Where each item runs
// a kernel by itself, loops are unrolled by the descriptor's limits, if it has any.
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include "core/lower/passes/passes.h"
#include "core/lower/passes/unroll_loops.h"
#include "core/lower/stages.h"

namespace lathe::detail {

llvm::Error stage::optimise(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/true);
  pipeline.optimise(Pipeline::Part::afterSimplification);
  return llvm::Error::success();
}

llvm::Error stage::optimiseItems(Lowering& lowering) {
  const UnrollLimits& limits = lowering.descriptor.codegen.unroll;
  llvm::PipelineTuningOptions tuning = Pipeline::tuning(/*vectorise=*/true);
  tuning.LoopUnrolling = limits.count == 0;  // else LLVM's unroller only does what the source asks for
  Pipeline pipeline(lowering, tuning);
  if (limits.count > 0) {
    pipeline.builder().registerVectorizerStartEPCallback(
        [&limits, &lowering](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
          passes.addPass(GiveDefaults());
          passes.addPass(llvm::LoopSimplifyPass());
          passes.addPass(llvm::LCSSAPass());
          passes.addPass(UnrollLoops(limits, lowering.hooks));
        });
  }
  pipeline.optimise(Pipeline::Part::afterSimplification);
  return llvm::Error::success();
}

}  // namespace lathe::detail
