// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR text, bitcode and portable images as a source.
#pragma once

#include <string_view>

#include "core/frontend/frontend.h"

namespace lathe::detail {

/// The format, in images, of IR that a front end left as it is, for a linker.
inline constexpr const char* relocatableFormat = "relocatable";

/// Bitcode or an image by magic number; IR text is told by extension or dialect only.
bool looksLikeIr(std::string_view bytes);

/// Errors: InvalidModule with line and column of text; what LLVM's verifier says; ImageCorrupt.
Result<FrontendResult> readIr(const FrontendRequest& request, llvm::LLVMContext& context);

}  // namespace lathe::detail
