// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage optimise: what follows simplification in the target machine's pipeline at the job's level.
#include "core/lower/passes/passes.h"
#include "core/lower/stages.h"

namespace lathe::detail {

llvm::Error stage::optimise(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/true);
  pipeline.optimise(Pipeline::Part::afterSimplification);
  return llvm::Error::success();
}

}  // namespace lathe::detail
