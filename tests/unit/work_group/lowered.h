// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels through work-group lowering: brought to the host as the lowering's callers would, lowered, and run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include "core/group/entry/group_entry.h"
#include "core/group/work_group.h"
#include "tests/unit/work_group/reference.h"

namespace lathe::test {

enum class Effort {
  none,   ///< straight from the front end, no optimisation before, in or after the lowering
  early,  ///< simplified before, as stage 8 does, but not optimised after
  full,   ///< simplified before, the O3 pipeline after
};

/// A target machine for this computer, or for `cpu`.
std::unique_ptr<llvm::TargetMachine> makeMachine(Effort effort, const std::string& cpu = "");

/// Makes a module of the device triple one of the host: layout, group-shared variables in space 3, kernels marked.
void retarget(llvm::Module& module, const llvm::TargetMachine& machine);
/// The simplification before, and the pipeline after the lowering.
void simplify(llvm::Module& module, llvm::TargetMachine& machine);
void optimise(llvm::Module& module, llvm::TargetMachine& machine);

/// The tests' kernels, retargeted: those of `names`, and what they call; all of them if it names none.
std::unique_ptr<llvm::Module> loadKernels(llvm::LLVMContext& context, llvm::TargetMachine& machine,
                                          llvm::ArrayRef<std::string> names = {});

/// One of the tests' kernels, lowered and compiled, in each process once for each effort.
class LoweredKernel {
 public:
  static const LoweredKernel& of(const std::string& name, Effort effort);

  /// Runs all groups on this thread. `parameters` is the packed block.
  void run(Extent count, Extent size, std::size_t dynamicBytes, const void* parameters) const;
  [[nodiscard]] const detail::WorkGroupResources& resources() const { return resources_; }

 private:
  LoweredKernel(const std::string& name, Effort effort);
  detail::WorkGroupResources resources_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  abi::GroupEntry entry_ = nullptr;
};

}  // namespace lathe::test
