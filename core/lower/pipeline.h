// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's new pass manager, set up for one target machine: the analyses registered and crossed, the hooks called.
#pragma once

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Passes/PassBuilder.h"

#include "core/lower/lowering.h"

namespace lathe::detail {

/// Tells the vectoriser of the vector functions of the library of that name; of none if it is empty.
void addVectorMath(llvm::TargetLibraryInfoImpl& library, const std::string& name, const llvm::Triple& triple);

class Pipeline {
 public:
  /// Before stage retarget there is no machine yet: such a pipeline knows no target.
  /// `vectorise`: allow the loop and SLP vectorisers and the run-time unroller.
  Pipeline(Lowering& lowering, bool vectorise);

  llvm::PassBuilder& builder() { return builder_; }
  llvm::OptimizationLevel level() const;
  void run(llvm::ModulePassManager passes) { passes.run(*lowering_.module, modules_); }

 private:
  static llvm::PipelineTuningOptions tuning(bool vectorise);

  Lowering& lowering_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassBuilder builder_;
};

}  // namespace lathe::detail
