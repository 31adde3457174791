// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of the device ABI's entries where a platform's own calling convention has others.
#pragma once

#include "llvm/IR/Module.h"

namespace lathe::detail {

/// Gives entries that are declared with integers of 128 bits by address, as some platforms pass and return them, the
/// types that the table has: calls load and store them. What is declared in yet another way stays, and is refused by
/// checkPortable(). Part of stage import.
void passByValue(llvm::Module& module);

}  // namespace lathe::detail
