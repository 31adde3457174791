// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Module-level changes that several stages need: moving global variables between address spaces, giving them other
// types, dropping named metadata.
#pragma once

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

}  // namespace lathe::detail
