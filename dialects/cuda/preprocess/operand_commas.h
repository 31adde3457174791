// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of inline assembly without a comma between them, which CUDA's compiler takes for two all the same.
//
//   asm("mma…" : "=f"(c) : "r"(a.x) "r"(a.y));   is read as   asm("mma…" : "=f"(c) : "r"(a.x),"r"(a.y));
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"

namespace lathe::dialects {

/// `text` with the commas, of the same length and with the same lines; empty: none are missing.
std::string separateOperands(llvm::StringRef text);

}  // namespace lathe::dialects
