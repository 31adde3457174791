// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a source's wish to unroll is followed where items are loops.
#pragma once

#include <cstdint>
#include <memory>

#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class LPMUpdater;
class Loop;
class Module;
}  // namespace llvm

namespace lathe::detail {

/// How often a kernel would hold a function's body if every call were inlined. By name: LLVM makes a function anew when
/// it takes an argument away.
class InlinedCopies {
 public:
  explicit InlinedCopies(llvm::Module& module);
  /// At least 1, also for a function that the module did not have then.
  std::uint64_t of(const llvm::Function& function) const;

 private:
  std::uint64_t count(llvm::Function& function);
  llvm::StringMap<std::uint64_t> counts_;
};

/// Forgets `#pragma unroll` at a loop that would grow beyond reason, unless an array of the item's own needs it to
/// become registers, and keeps a loop with a barrier in it rolled where a function of several calls would multiply what
/// it becomes. Stands before LLVM's full unroller, which has made inner loops what they become by then.
///
/// Of 16 iterations of 1000 instructions each,
///
///   before: br i1 %more, label %body, label %done, !llvm.loop !{"llvm.loop.unroll.enable"}
///   after:  br i1 %more, label %body, label %done, !llvm.loop !{"llvm.loop.unroll.disable"}
class UnrollLimitPass final : public llvm::PassInfoMixin<UnrollLimitPass> {
 public:
  /// Without `copies`: everything is inlined already.
  explicit UnrollLimitPass(std::shared_ptr<const InlinedCopies> copies = nullptr) : copies_(std::move(copies)) {}
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                              llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater);

 private:
  std::shared_ptr<const InlinedCopies> copies_;
};

}  // namespace lathe::detail
