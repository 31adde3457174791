// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures of the ABI tables as LLVM types.
#pragma once

#include <string_view>

#include "llvm/IR/DerivedTypes.h"

namespace lathe::detail {

/// True if `type` is the type that the signature's letters stand for; a pointer may be of any address space. Where the
/// signature has 128 bits, always: how a platform passes those is its own affair.
[[nodiscard]] bool hasSignature(const llvm::FunctionType& type, std::string_view signature);

/// The function type of a signature without 128 bits. Pointers are of `pointerSpace`.
[[nodiscard]] llvm::FunctionType* functionType(llvm::LLVMContext& context, std::string_view signature,
                                               unsigned pointerSpace);

}  // namespace lathe::detail
