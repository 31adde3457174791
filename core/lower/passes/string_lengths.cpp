// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/lower/passes/string_lengths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace lathe::detail {

llvm::PreservedAnalyses StringLengths::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const llvm::Function* const strlen = function.getParent()->getFunction("strlen");
  if (!strlen || !strlen->isDeclaration()) return llvm::PreservedAnalyses::all();
  bool isChanged = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || call->getCalledFunction() != strlen || call->arg_size() != 1 || !call->getType()->isIntegerTy())
      continue;
    const std::uint64_t withEnd = llvm::GetStringLength(call->getArgOperand(0));
    if (withEnd == 0) continue;  // not known
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), withEnd - 1));
    call->eraseFromParent();
    isChanged = true;
  }
  if (!isChanged) return llvm::PreservedAnalyses::all();
  return llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>();
}

}  // namespace lathe::detail
