// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions under another list of parameters.
#pragma once

#include "llvm/IR/Function.h"

namespace lathe::detail {

/// Moves the body of `function` into a new function with these parameters, which takes its name, attributes, metadata
/// and debug information and stands in front of `before`, or at the end of the module if that is null. Arguments of an
/// unchanged type replace the old ones; uses of those whose type changed are left to the caller, and so are the uses of
/// `function`, which is a declaration afterwards. `parameters` has an element for each old parameter at least.
///
///   before: define void @k(ptr %x) { … }
///   after:  declare void @0(ptr)        define void @k(ptr %x, ptr %added) { … }
llvm::Function& moveBody(llvm::Function& function, llvm::ArrayRef<llvm::Type*> parameters, llvm::Function* before);
/// The same with another type of the result: the caller changes what returns it.
llvm::Function& moveBody(llvm::Function& function, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters,
                         llvm::Function* before);

}  // namespace lathe::detail
