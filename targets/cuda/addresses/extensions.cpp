// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices that are extended in two ways.
#include "targets/cuda/addresses/extensions.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace lathe::targets {
namespace {

namespace match = llvm::PatternMatch;

/// The index without constants that are added to it and do not wrap around.
const llvm::Value* indexOf(const llvm::CastInst& extension) {
  llvm::Value* index = extension.getOperand(0);
  while (match::match(index, match::m_NSWAdd(match::m_Value(index), match::m_ConstantInt()))) {
  }
  return index;
}

}  // namespace

void extendAlike(llvm::Module& module) {
  for (llvm::Function& function : module) {
    llvm::DenseSet<const llvm::Value*> isSigned;
    llvm::SmallVector<llvm::ZExtInst*> others;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (const auto* const extension = llvm::dyn_cast<llvm::SExtInst>(&instruction))
        isSigned.insert(indexOf(*extension));
      else if (auto* const other = llvm::dyn_cast<llvm::ZExtInst>(&instruction); other && other->hasNonNeg())
        others.push_back(other);
    }
    for (llvm::ZExtInst* const other : others) {
      if (!isSigned.contains(indexOf(*other))) continue;
      llvm::IRBuilder<> builder(other);
      llvm::Value* const extended = builder.CreateSExt(other->getOperand(0), other->getType(), other->getName());
      other->replaceAllUsesWith(extended);
      other->eraseFromParent();
    }
  }
}

}  // namespace lathe::targets
