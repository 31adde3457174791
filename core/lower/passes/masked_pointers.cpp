// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call after the other, and then the declaration.
#include "core/lower/passes/masked_pointers.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace lathe::detail {

void offsetMaskedPointers(llvm::Module& module) {
  for (llvm::Function& declaration : llvm::make_early_inc_range(module)) {
    if (declaration.getIntrinsicID() != llvm::Intrinsic::ptrmask) continue;
    for (llvm::User* user : llvm::make_early_inc_range(declaration.users())) {
      auto* const call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(call);
      llvm::Value *const pointer = call->getArgOperand(0), *const mask = call->getArgOperand(1);
      llvm::Value* const address = builder.CreatePtrToInt(pointer, mask->getType());
      llvm::Value* const offset = builder.CreateSub(builder.CreateAnd(address, mask), address);
      llvm::Value* const masked = builder.CreatePtrAdd(pointer, offset);
      masked->takeName(call);
      call->replaceAllUsesWith(masked);
      call->eraseFromParent();
    }
    declaration.eraseFromParent();
  }
}

}  // namespace lathe::detail
