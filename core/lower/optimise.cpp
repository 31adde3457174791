// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage 10, optimise: the target machine's pipeline at the job's level. Where stage 9 rebuilt the functions, all of it;
// elsewhere what follows simplification, so that no pass runs twice for nothing.
#include "core/lower/pipeline.h"

namespace lathe::detail {

llvm::Error stage::optimise(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/true);
  lowering.hooks.optimiseLate(pipeline.builder());
  llvm::PassBuilder& builder = pipeline.builder();
  llvm::ModulePassManager passes;
  if (pipeline.level() == llvm::OptimizationLevel::O0) {
    passes = builder.buildO0DefaultPipeline(pipeline.level());
  } else if (lowering.descriptor.items) {
    passes = builder.buildModuleOptimizationPipeline(pipeline.level(), llvm::ThinOrFullLTOPhase::None);
  } else {
    passes = builder.buildPerModuleDefaultPipeline(pipeline.level());
  }
  pipeline.run(std::move(passes));
  if (!lowering.descriptor.items) recordVectorWidth(lowering);
  return llvm::Error::success();
}

}  // namespace lathe::detail
