// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call graph: sets of functions that are closed under calls, functions that call themselves, and the calls of one
// declaration while they are replaced.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <lathe/sdk/users.h>

namespace lathe::detail {

using sdk::addUsers;
using sdk::FunctionSet;

/// Functions that call themselves, perhaps by way of others.
[[nodiscard]] FunctionSet recursiveFunctions(llvm::Module& module);

/// Adds the functions that use a function of the set, those that use them, and so on.
void addCallers(FunctionSet& functions);
/// Adds the functions with a body that functions of the set call directly, those that they call, and so on.
void addCallees(FunctionSet& functions);

/// The direct calls of `function` by its own type.
[[nodiscard]] llvm::SmallVector<llvm::CallBase*, 8> callsOf(llvm::Function& function);
/// Inlines `function` into all that call it so, itself left out, and returns them.
FunctionSet inlineIntoCallers(llvm::Function& function);

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
