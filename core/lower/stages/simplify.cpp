// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage simplify: LLVM's simplification pipeline (inlining, SROA, GVN, LICM, address-space inference) without the
// vectorisers and the run-time unroller, whose decisions need the final shape of loops. Where each item runs a kernel
// by itself, loops over its arrays are unrolled, as registers have no index.
#include "llvm/Transforms/Scalar/LoopPassManager.h"

#include "core/lower/passes/passes.h"
#include "core/lower/passes/private_arrays.h"
#include "core/lower/stages.h"

namespace lathe::detail {
namespace {

llvm::Error simplifyWith(Pipeline& pipeline) {
  llvm::ModulePassManager passes;
  // The target machine's own passes, which it wants before anything is simplified.
  if (pipeline.level() != llvm::OptimizationLevel::O0)
    pipeline.builder().invokePipelineStartEPCallbacks(passes, pipeline.level());
  pipeline.simplify(std::move(passes));
  return llvm::Error::success();
}

}  // namespace

llvm::Error stage::simplify(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/false);
  return simplifyWith(pipeline);
}

llvm::Error stage::simplifyItems(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/false);
  pipeline.builder().registerLateLoopOptimizationsEPCallback(
      [](llvm::LoopPassManager& loops, llvm::OptimizationLevel) { loops.addPass(UnrollPrivateArrays()); });
  return simplifyWith(pipeline);
}

}  // namespace lathe::detail
