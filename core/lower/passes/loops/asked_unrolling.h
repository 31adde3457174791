// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that the source wants unrolled as a whole and that would become more code than an assembler can schedule.
#pragma once

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class LPMUpdater;
class Loop;
}  // namespace llvm

namespace lathe::detail {

/// Asks LLVM's unroller for some of the iterations of a loop where the source asks for all and all are too many. LLVM
/// has the same limit, but counts an instruction of a machine as one, whatever it takes and gives: a product of tiles
/// with 16 registers of operands and eight of results is as long for the assembler behind LLVM as 24 instructions, and
/// that assembler takes minutes for some thousands of them in one block.
/// Loops that index a private array by their counter keep what the source says. Stands in front
/// of each of LLVM's unrollers.
///
///   before: br i1 %more, label %body, label %done, !llvm.loop !{"llvm.loop.unroll.enable"}   ; 128 iterations
///   after:  br i1 %more, label %body, label %done, !llvm.loop !{"llvm.loop.unroll.count", i32 16}
class LimitAskedUnrolling final : public llvm::PassInfoMixin<LimitAskedUnrolling> {
 public:
  static llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                                     llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater);
};

}  // namespace lathe::detail
