// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving global variables between address spaces, for a dialect's adapt() and for hooks of targets.
#pragma once

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace lathe::sdk {

/// Replaces `global` by an equal variable in `space`; uses see it through an address space cast. A null `initialiser`
/// leaves a declaration. Returns the new variable.
inline llvm::GlobalVariable& moveToSpace(llvm::GlobalVariable& global, unsigned space, llvm::Constant* initialiser) {
  auto* const moved = new llvm::GlobalVariable(*global.getParent(), global.getValueType(), global.isConstant(),
                                               global.getLinkage(), initialiser, "", &global,
                                               global.getThreadLocalMode(), space, global.isExternallyInitialized());
  moved->copyAttributesFrom(&global);
  moved->copyMetadata(&global, 0);
  moved->setComdat(global.getComdat());
  moved->takeName(&global);
  global.replaceAllUsesWith(llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(moved, global.getType()));
  global.eraseFromParent();
  return *moved;
}

/// The same, with the initialiser that it has.
inline llvm::GlobalVariable& moveToSpace(llvm::GlobalVariable& global, unsigned space) {
  return moveToSpace(global, space, global.hasInitializer() ? global.getInitializer() : nullptr);
}

}  // namespace lathe::sdk
