// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who calls whom: the functions that call themselves, and going through the calls of one declaration while they are
// replaced.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace lathe::detail {

/// Functions that call themselves, perhaps by way of others.
[[nodiscard]] llvm::SetVector<llvm::Function*> recursiveFunctions(llvm::Module& module);

/// Calls `visit(call)` for each direct call of `callee`; it may erase that call. Other uses (an address that is taken,
/// an argument) are left alone.
template <class F>
void forEachCall(llvm::Function& callee, F&& visit) {
  for (llvm::User* user : llvm::make_early_inc_range(callee.users())) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call && call->getCalledFunction() == &callee) visit(*call);
  }
}

/// `value` in the place of a call.
inline void replaceCall(llvm::CallInst& call, llvm::Value& value) {
  call.replaceAllUsesWith(&value);
  call.eraseFromParent();
}

}  // namespace lathe::detail
