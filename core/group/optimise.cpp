// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages simplify and optimise where items are loops. What a source wants unrolled has limits before the loops are
// made; afterwards the functions are new, so the target machine's whole pipeline runs on them, with loops over items in
// mind.
#include "core/group/optimise.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include "core/group/vectorise/guarded_accesses.h"
#include "core/group/vectorise/integer_division.h"
#include "core/group/vectorise/lane_masks.h"
#include "core/group/vectorise/outer_loop.h"
#include "core/group/vectorise/stack_alignment.h"
#include "core/group/vectorise/strided_accesses.h"
#include "core/group/vectorise/uniform_exit_values.h"
#include "core/group/vectorise/unrolling.h"
#include "core/lower/passes/loops/private_arrays.h"
#include "core/lower/passes/passes.h"
#include "core/lower/stages.h"

namespace lathe::detail {
namespace {

/// Instructions of a function above which LLVM does not look for vectors outside of loops: that takes more than linear
/// time, of twelve reductions in one kernel (20,000) half a minute.
constexpr std::uint64_t mostForSlp = 8000;

/// Where a vectorised loop depends on checks at run time, LLVM also unrolls what it falls back to. Loops over items are
/// short: these copies are half of a compile and hardly run.
///
///   before: br i1 %done, label %latch, label %item, !llvm.loop !{!accesses}
///   after:  br i1 %done, label %latch, label %item, !llvm.loop !{!accesses, !"llvm.loop.unroll.runtime.disable"}
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

llvm::Error stage::simplifyBeforeLoops(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/false);
  const auto copies = std::make_shared<const InlinedCopies>(*lowering.module);
  pipeline.builder().registerLateLoopOptimizationsEPCallback(
      [copies](llvm::LoopPassManager& loops, llvm::OptimizationLevel) {
        // An array in memory keeps the loop over items from being vectors: each item writes the same place.
        loops.addPass(UnrollPrivateArrays());
        loops.addPass(UnrollLimitPass(copies));
      });
  pipeline.simplify();
  return llvm::Error::success();
}

void registerItemLoopPasses(llvm::PassBuilder& builder) {
  builder.registerPipelineEarlySimplificationEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) {
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(UniformExitValuesPass()));
      });
  builder.registerVectorizerStartEPCallback([](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(OuterLoopVectorisePass());
    passes.addPass(IntegerDivisionPass());
    passes.addPass(GuardedAccessesPass());
    passes.addPass(KeepStridedInOrder());
    passes.addPass(KeepItemLoopsRolled());
  });
  builder.registerOptimizerLastEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) {
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(LaneMasksPass()));
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(StackAlignmentPass()));
      });
}

llvm::Error stage::optimiseLoops(Lowering& lowering) {
  llvm::PipelineTuningOptions tuning = Pipeline::tuning(/*vectorise=*/true);
  tuning.SLPVectorization = llvm::all_of(
      *lowering.module, [](const llvm::Function& function) { return function.getInstructionCount() <= mostForSlp; });
  Pipeline pipeline(lowering, tuning);
  registerItemLoopPasses(pipeline.builder());
  pipeline.optimise(Pipeline::Part::all);
  return llvm::Error::success();
}

}  // namespace lathe::detail
