// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Module-level changes that several stages need: moving global variables between address spaces, giving them other
// types, dropping named metadata and annotations.
#pragma once

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

#include <lathe/sdk/address_spaces.h>

namespace lathe::detail {

using sdk::moveToSpace;

/// A variable like `old` with values of `type`, in `space`, which has its name and no initial value; the uses stay
/// `old`'s.
inline llvm::GlobalVariable& remade(llvm::GlobalVariable& old, llvm::Type* type, unsigned space) {
  auto* const made = new llvm::GlobalVariable(*old.getParent(), type, old.isConstant(), old.getLinkage(), nullptr, "",
                                              &old, old.getThreadLocalMode(), space, old.isExternallyInitialized());
  made->copyAttributesFrom(&old);
  made->copyMetadata(&old, 0);
  made->setComdat(old.getComdat());
  made->takeName(&old);
  return *made;
}

/// Drops named metadata that is not debug information; the module's flags too unless `keepFlags`.
inline void dropNamedMetadata(llvm::Module& module, bool keepFlags) {
  for (llvm::NamedMDNode& node : llvm::make_early_inc_range(module.named_metadata())) {
    const bool flags = node.getName() == "llvm.module.flags";
    if (flags ? !keepFlags : !node.getName().starts_with("llvm.dbg.")) node.eraseFromParent();
  }
}

/// Drops annotations of values (`__attribute__((annotate))` of members and local variables), of which no code is made
/// and through which LLVM does not look for what an address leads to.
inline void dropValueAnnotations(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    const llvm::Intrinsic::ID id = function.getIntrinsicID();
    if (id != llvm::Intrinsic::ptr_annotation && id != llvm::Intrinsic::annotation &&
        id != llvm::Intrinsic::var_annotation)
      continue;
    for (llvm::User* const user : llvm::make_early_inc_range(function.users())) {
      auto* const call = llvm::cast<llvm::CallInst>(user);
      if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

}  // namespace lathe::detail
