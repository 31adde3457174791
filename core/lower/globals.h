// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Module-level changes that several stages need: moving global variables between address spaces, dropping named
// metadata.
#pragma once

#include "llvm/IR/Module.h"

#include <lathe/sdk/address_spaces.h>

namespace lathe::detail {

using sdk::moveToSpace;

/// Drops named metadata that is not debug information; the module's flags too unless `keepFlags`.
inline void dropNamedMetadata(llvm::Module& module, bool keepFlags) {
  for (llvm::NamedMDNode& node : llvm::make_early_inc_range(module.named_metadata())) {
    const bool flags = node.getName() == "llvm.module.flags";
    if (flags ? !keepFlags : !node.getName().starts_with("llvm.dbg.")) node.eraseFromParent();
  }
}

}  // namespace lathe::detail
