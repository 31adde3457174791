// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage simplify: LLVM's simplification pipeline (inlining, SROA, GVN, LICM, address-space inference) without the
// vectorisers and the run-time unroller, whose decisions need the final shape of loops.
#include "core/lower/pipeline.h"

#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

#include "core/lower/pipelines.h"
#include "core/lower/work_group/unrolling.h"

namespace lathe::detail {

namespace {

llvm::Error run(Pipeline& pipeline, llvm::ModulePassManager passes) {
  if (pipeline.level() == llvm::OptimizationLevel::O0)
    passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  else
    passes.addPass(
        pipeline.builder().buildModuleSimplificationPipeline(pipeline.level(), llvm::ThinOrFullLTOPhase::None));
  pipeline.run(std::move(passes));
  return llvm::Error::success();
}

}  // namespace

llvm::Error stage::simplify(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/false);
  lowering.hooks.optimiseEarly(pipeline.builder());
  llvm::ModulePassManager passes;
  // The target machine's own passes, which it wants before anything is simplified.
  if (pipeline.level() != llvm::OptimizationLevel::O0)
    pipeline.builder().invokePipelineStartEPCallbacks(passes, pipeline.level());
  return run(pipeline, std::move(passes));
}

/// Where items will be loops, what a source wants unrolled has limits. The target machine's own passes are part of the
/// whole pipeline that comes after (optimiseLoops).
llvm::Error stage::simplifyBeforeLoops(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/false);
  lowering.hooks.optimiseEarly(pipeline.builder());
  pipeline.builder().registerLateLoopOptimizationsEPCallback(
      [](llvm::LoopPassManager& loops, llvm::OptimizationLevel) { loops.addPass(UnrollLimitPass()); });
  return run(pipeline, llvm::ModulePassManager());
}

}  // namespace lathe::detail
