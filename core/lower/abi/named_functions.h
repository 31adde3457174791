// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that headers, C++ itself and the compiler's builtins call by name, and that no header can give a body: some
// of C's for bytes, the rarer forms of new and delete, and what pure virtual functions are.
#pragma once

#include "llvm/IR/Module.h"

#include "core/descriptor/descriptor.h"

namespace lathe::detail {

/// Gives memchr, memcmp, bcmp, strlen, __cxa_pure_virtual, __cxa_deleted_virtual, and new and delete with a size, an
/// alignment or std::nothrow a body, where the module uses them and the target's loader does not have them. Part of
/// stage host_symbols.
void defineNamedFunctions(llvm::Module& module, const Descriptor& descriptor);

}  // namespace lathe::detail
