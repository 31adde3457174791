// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/group/vectorise/stack_alignment.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"

namespace lathe::detail {

llvm::PreservedAnalyses StackAlignmentPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const llvm::DataLayout& layout = function.getDataLayout();
  const llvm::MaybeAlign stack = layout.getStackAlignment();
  const bool isWide = stack && llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
                        return llvm::isa<llvm::FixedVectorType>(instruction.getType()) &&
                               layout.getTypeStoreSize(instruction.getType()) > stack->value();
                      });
  if (isWide) function.addFnAttr("stackrealign");
  return llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
