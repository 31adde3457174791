// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a source's wish to unroll is followed where items are loops.
#pragma once

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class LPMUpdater;
class Loop;
}  // namespace llvm

namespace lathe::detail {

/// Forgets `#pragma unroll` at a loop that would grow beyond reason, unless an array of the item's own needs it to
/// become registers. Stands before LLVM's full unroller, which has made inner loops what they become by then.
///
/// Of 16 iterations of 1000 instructions each,
///
///   before: br i1 %more, label %body, label %done, !llvm.loop !{"llvm.loop.unroll.enable"}
///   after:  br i1 %more, label %body, label %done, !llvm.loop !{"llvm.loop.unroll.disable"}
class UnrollLimitPass final : public llvm::PassInfoMixin<UnrollLimitPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                              llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater);
};

}  // namespace lathe::detail
