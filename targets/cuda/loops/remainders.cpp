// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remainders in functions with loops.
#include "targets/cuda/loops/remainders.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace lathe::targets {
namespace {

namespace match = llvm::PatternMatch;

/// Also as LLVM writes it where the quotient is there: x - y × (x / y).
bool isRemainder(const llvm::Instruction& instruction) {
  if (!instruction.getType()->isIntegerTy()) return false;
  if (instruction.getOpcode() == llvm::Instruction::URem) return true;
  llvm::Value* divisor = nullptr;
  return match::match(
      &instruction,
      match::m_Sub(match::m_Value(), match::m_c_Mul(match::m_IDiv(match::m_Value(), match::m_Value(divisor)),
                                                    match::m_Deferred(divisor))));
}

}  // namespace

void hideRemainders(llvm::Module& module) {
  for (llvm::Function& function : module) {
    llvm::SmallVector<llvm::Instruction*> remainders;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (isRemainder(instruction)) remainders.push_back(&instruction);
    if (remainders.empty() || llvm::LoopInfo(llvm::DominatorTree(function)).empty()) continue;
    for (llvm::Instruction* const remainder : remainders) {
      llvm::IRBuilder<> builder(remainder->getNextNode());
      llvm::Value* const hidden = builder.CreateFreeze(remainder);
      remainder->replaceUsesWithIf(hidden, [&](const llvm::Use& use) { return use.getUser() != hidden; });
    }
  }
}

}  // namespace lathe::targets
