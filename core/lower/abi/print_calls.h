// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf in portable IR.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace lathe::detail {

/// Calls of C's printf, and of vprintf with a packed block as Clang makes it, become `__lathe_print`. Part of stage
/// import.
llvm::Error canonicalisePrint(llvm::Module& module);

}  // namespace lathe::detail
