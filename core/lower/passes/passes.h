// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's new pass manager, set up for one target machine: the analyses registered and crossed, the hooks called.
#pragma once

#include <stop_token>

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"

#include "core/lower/lowering.h"

namespace lathe::detail {

/// Analyses that know of each other, and the builder of passes for one machine that uses them. `machine` may be null.
class PassSetup {
 public:
  PassSetup(llvm::TargetMachine* machine, const llvm::PipelineTuningOptions& tuning);
  PassSetup(const PassSetup&) = delete;
  PassSetup& operator=(const PassSetup&) = delete;
  ~PassSetup() = default;

  llvm::PassBuilder& builder() { return builder_; }
  /// Registers all of LLVM's analyses; those that were registered before stay.
  void registerAnalyses();
  /// Makes LLVM leave out passes that come after `stop` was requested.
  void endWith(std::stop_token stop);
  llvm::ModuleAnalysisManager& modules() { return modules_; }
  llvm::FunctionAnalysisManager& functions() { return functions_; }

 private:
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassInstrumentationCallbacks callbacks_;
  llvm::PassBuilder builder_;
};

class Pipeline {
 public:
  /// Before stage retarget there is no machine yet: such a pipeline knows no target.
  /// `vectorise`: allow the loop vectoriser.
  Pipeline(Lowering& lowering, bool vectorise) : Pipeline(lowering, tuning(vectorise)) {}
  Pipeline(Lowering& lowering, const llvm::PipelineTuningOptions& tuning);
  /// What the first constructor tells LLVM's loop passes.
  static llvm::PipelineTuningOptions tuning(bool vectorise);

  llvm::PassBuilder& builder() { return setup_.builder(); }
  llvm::FunctionAnalysisManager& functions() { return setup_.functions(); }
  llvm::OptimizationLevel level() const;
  /// Simplifies the module, after `first`. At level O0 it inlines what must be inlined, and no more.
  void simplify(llvm::ModulePassManager first = llvm::ModulePassManager());
  /// Which part of the pipeline for the job's level.
  enum class Part { all, afterSimplification };
  void optimise(Part part);
  void run(llvm::ModulePassManager passes) { passes.run(*lowering_.module, setup_.modules()); }
  /// On every function that the module defines.
  void run(llvm::FunctionPassManager passes) {
    llvm::ModulePassManager all;
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
    run(std::move(all));
  }

 private:
  Lowering& lowering_;
  PassSetup setup_;
};

}  // namespace lathe::detail
