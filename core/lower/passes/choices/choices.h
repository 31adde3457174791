// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phis of addresses, and what is done with the chosen one done with each.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace lathe::detail {

/// Puts a phi in the place of `user`, of the values that `make` gives for each that `choice` may be, at the end of the
/// block that it comes from.
inline void chooseInstead(llvm::PHINode& choice, llvm::Instruction& user,
                          llvm::function_ref<llvm::Value*(llvm::IRBuilder<>&, llvm::Value*)> make) {
  llvm::PHINode* const chosen =
      llvm::PHINode::Create(user.getType(), choice.getNumIncomingValues(), "", choice.getIterator());
  // A switch may lead to the block several times.
  llvm::SmallDenseMap<llvm::BasicBlock*, llvm::Value*> made;
  for (unsigned i = 0; i < choice.getNumIncomingValues(); ++i) {
    llvm::Value*& value = made[choice.getIncomingBlock(i)];
    if (!value) {
      llvm::IRBuilder<> builder(choice.getIncomingBlock(i)->getTerminator());
      value = make(builder, choice.getIncomingValue(i));
    }
    chosen->addIncoming(value, choice.getIncomingBlock(i));
  }
  chosen->takeName(&user);
  user.replaceAllUsesWith(chosen);
  user.eraseFromParent();
}

}  // namespace lathe::detail
