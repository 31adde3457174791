// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convergence that functions and calls do not have: it spreads from the instructions that need it to all that call
// them.
#include "core/lower/passes/convergence.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace lathe::detail {

llvm::PreservedAnalyses DropConvergence::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::SmallVector<llvm::CallBase*> calls;  // marked, of functions that are known
  llvm::SmallPtrSet<const llvm::Function*, 16> convergent;
  llvm::SmallVector<const llvm::Function*> spreading;
  const auto add = [&](const llvm::Function* function) {
    if (convergent.insert(function).second) spreading.push_back(function);
  };
  for (llvm::Function& function : module) {
    if (function.isDeclaration() && function.isConvergent()) add(&function);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call || !call->isConvergent()) continue;
      if (call->getCalledFunction())
        calls.push_back(call);
      else  // inline assembly, or a pointer
        add(&function);
    }
  }
  while (!spreading.empty()) {
    for (const llvm::User* user : spreading.pop_back_val()->users()) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call && call->isConvergent()) add(call->getFunction());
    }
  }
  for (llvm::Function& function : module) {
    if (!convergent.contains(&function)) function.setNotConvergent();
  }
  for (llvm::CallBase* call : calls) {
    if (!convergent.contains(call->getCalledFunction())) call->setNotConvergent();
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
