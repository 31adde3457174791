// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage 8, simplify: LLVM's simplification pipeline (inlining, SROA, GVN, LICM, address-space inference) without the
// vectorisers and the run-time unroller, whose decisions need the final shape of loops. Where items will be loops, what
// a source wants unrolled has limits.
#include "core/lower/pipeline.h"

#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

#include "core/lower/work_group/unrolling.h"

namespace lathe::detail {

llvm::Error stage::simplify(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/false);
  lowering.hooks.optimiseEarly(pipeline.builder());
  llvm::ModulePassManager passes;
  if (pipeline.level() == llvm::OptimizationLevel::O0) {
    passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  } else {
    // What the target machine wants to see before anything is simplified. Where stage 10 runs a whole pipeline, that
    // pipeline asks for it.
    if (lowering.descriptor.items) {
      pipeline.builder().invokePipelineStartEPCallbacks(passes, pipeline.level());
    } else {
      pipeline.builder().registerLateLoopOptimizationsEPCallback(
          [](llvm::LoopPassManager& loops, llvm::OptimizationLevel) { loops.addPass(UnrollLimitPass()); });
    }
    passes.addPass(
        pipeline.builder().buildModuleSimplificationPipeline(pipeline.level(), llvm::ThinOrFullLTOPhase::None));
  }
  pipeline.run(std::move(passes));
  return llvm::Error::success();
}

}  // namespace lathe::detail
