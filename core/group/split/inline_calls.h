// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings everything that depends on the item or the group into the kernels themselves: a function that reads an index,
// reaches a barrier or touches group-shared memory, itself or through what it calls, is inlined into its callers.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace lathe::detail {

/// Inlines into `kernels`, then deletes the functions that were inlined: they have no meaning outside a group. Fails on
/// recursion among them and on calls through a pointer to them.
llvm::Error inlineGroupFunctions(llvm::Module& module, llvm::ArrayRef<llvm::Function*> kernels, unsigned groupSpace);

}  // namespace lathe::detail
