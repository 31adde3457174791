// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and variables that a source leaves to the program that loads or links its code (LATHE_IMPORT).
#pragma once

#include "clang/CodeGen/ModuleBuilder.h"

namespace lathe::detail {

/// Gives what `generator`'s module declares and the source marks as imported the attribute that says so, with the type:
/// "f4(p,i4)" of a function (<lathe/runtime/host_symbols.h>), "16" of a variable of 16 bytes, "" of one of unknown
/// size.
void markImports(clang::CodeGenerator& generator, const clang::ASTContext& ast);

}  // namespace lathe::detail
