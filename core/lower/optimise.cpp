// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage optimise: the target machine's pipeline at the job's level. After work-group lowering, which rebuilt the
// functions, all of it; elsewhere what follows simplification, so that no pass runs twice for nothing.
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include "core/lower/pipeline.h"
#include "core/lower/pipelines.h"
#include "core/lower/work_group/lockstep.h"

namespace lathe::detail {
namespace {

/// Where a vectorised loop depends on checks at run time, LLVM also unrolls what it falls back to. Loops over items are
/// short: these copies are half of a compile and hardly run.
///
///   before: br i1 %done, label %latch, label %item, !llvm.loop !{!parallel_accesses}
///   after:  br i1 %done, label %latch, label %item, !llvm.loop !{!parallel_accesses,
///   !"llvm.loop.unroll.runtime.disable"}
struct KeepItemLoopsRolled : llvm::PassInfoMixin<KeepItemLoopsRolled> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
      if (!llvm::findOptionMDForLoop(loop, "llvm.loop.parallel_accesses")) continue;
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.runtime.disable");
    }
    return llvm::PreservedAnalyses::all();
  }
};

}  // namespace

llvm::Error stage::optimise(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/true);
  lowering.hooks.optimiseLate(pipeline.builder());
  pipeline.run(
      pipeline.level() == llvm::OptimizationLevel::O0
          ? pipeline.builder().buildO0DefaultPipeline(pipeline.level())
          : pipeline.builder().buildModuleOptimizationPipeline(pipeline.level(), llvm::ThinOrFullLTOPhase::None));
  return llvm::Error::success();
}

llvm::Error stage::optimiseLoops(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/true);
  lowering.hooks.optimiseLate(pipeline.builder());
  pipeline.builder().registerVectorizerStartEPCallback([](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(RunInLockstep());
    passes.addPass(KeepItemLoopsRolled());
  });
  pipeline.run(pipeline.level() == llvm::OptimizationLevel::O0
                   ? pipeline.builder().buildO0DefaultPipeline(pipeline.level())
                   : pipeline.builder().buildPerModuleDefaultPipeline(pipeline.level()));
  return llvm::Error::success();
}

}  // namespace lathe::detail
