// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class CodeGenerator;
class FunctionDecl;
}  // namespace clang

namespace lathe::detail {

/// Passes objects of classes with a copy constructor, move constructor or destructor of their own by the address of the
/// caller's object, as the Itanium C++ ABI has it (3.1.2.3): the caller destroys what the function left of it. Clang's
/// ABI of the neutral triple copies them bit by bit, and a function that takes what a parameter owns took it from the
/// copy. Parameters of kernels, which `isKernel` tells, stay.
///
///   before: define void @take(ptr byval(%class.Owner) %o)    after: define void @take(ptr %o)
void passClassesByAddress(clang::CodeGenerator& generator,
                          llvm::function_ref<bool(const clang::FunctionDecl&)> isKernel);

}  // namespace lathe::detail
