// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage simplify: LLVM's simplification pipeline (inlining, SROA, GVN, LICM, address-space inference) without the
// vectorisers and the run-time unroller, whose decisions need the final shape of loops.
#include "core/lower/passes/passes.h"
#include "core/lower/stages.h"

namespace lathe::detail {

llvm::Error stage::simplify(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/false);
  llvm::ModulePassManager passes;
  // The target machine's own passes, which it wants before anything is simplified.
  if (pipeline.level() != llvm::OptimizationLevel::O0)
    pipeline.builder().invokePipelineStartEPCallbacks(passes, pipeline.level());
  pipeline.simplify(std::move(passes));
  return llvm::Error::success();
}

}  // namespace lathe::detail
