// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One form for the address of a global variable's element.
#include "core/lower/passes/offsets_last.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"

namespace lathe::detail {

llvm::PreservedAnalyses OffsetsLast::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const llvm::DataLayout& layout = function.getDataLayout();
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    if (!address || address->getType()->isVectorTy()) continue;
    const auto* const base = llvm::dyn_cast<llvm::ConstantExpr>(address->getPointerOperand());
    if (!base || base->getOpcode() != llvm::Instruction::GetElementPtr) continue;
    llvm::APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
    const auto& inner = llvm::cast<llvm::GEPOperator>(*base);
    if (!inner.accumulateConstantOffset(layout, offset)) continue;
    // No flags: what was within the variable behind the offset may be in front of it without.
    llvm::IRBuilder<> builder(address);
    const llvm::SmallVector<llvm::Value*> indices(address->indices());
    llvm::Value* const element = builder.CreateGEP(address->getSourceElementType(),
                                                   const_cast<llvm::Value*>(inner.getPointerOperand()), indices);
    llvm::Value* const moved = builder.CreateGEP(builder.getInt8Ty(), element, builder.getInt(offset));
    moved->takeName(address);
    address->replaceAllUsesWith(moved);
    address->eraseFromParent();
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::EarlyCSEPass().run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace lathe::detail
