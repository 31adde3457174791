// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over arrays of an item's own, which become registers only if the index is a constant.
#pragma once

#include <cstdint>

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class LPMUpdater;
class Loop;
class ScalarEvolution;
}  // namespace llvm

namespace lathe::detail {

/// Bytes of the largest local array that the loop indexes by its counter; 0: there is none.
std::uint64_t privateBytesIndexed(const llvm::Loop& loop, llvm::ScalarEvolution& evolution);

/// Asks LLVM's full unroller, before which it stands, for loops over private arrays whose number of iterations is
/// constant, or bounded by a constant: up to 2,048 instructions, or `most` if the array is large. And for those of at
/// most eight iterations whose number is not known, as `i < min(rest, 4)`. An array that stays one lies in memory,
/// which each access reads or writes.
///
///   before: br i1 %more, label %body, label %done
///   after:  br i1 %more, label %body, label %done, !llvm.loop !{"llvm.loop.unroll.full"}
class UnrollPrivateArrays final : public llvm::PassInfoMixin<UnrollPrivateArrays> {
 public:
  static constexpr std::uint64_t usualMost = 2048;  ///< instructions of an unrolled loop

  explicit UnrollPrivateArrays(std::uint64_t most = usualMost) : most_(most) {}
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                              llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater);

 private:
  std::uint64_t most_;
};

}  // namespace lathe::detail
