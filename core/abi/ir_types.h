// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures of the ABI tables as LLVM types.
#pragma once

#include <string_view>

#include "llvm/IR/DerivedTypes.h"

namespace lathe::detail {

/// True if `type` is the type that the signature's letters stand for; a pointer may be of any address space.
[[nodiscard]] bool hasSignature(const llvm::FunctionType& type, std::string_view signature);

/// The function type of a signature. Pointers are of `pointerSpace`.
[[nodiscard]] llvm::FunctionType* functionType(llvm::LLVMContext& context, std::string_view signature,
                                               unsigned pointerSpace);

}  // namespace lathe::detail
