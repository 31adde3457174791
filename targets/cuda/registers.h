// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Type.h"

namespace lathe::targets {

/// The letter of a register for `type` in a constraint of inline assembly.
inline const char* registerOf(const llvm::Type* type) {
  if (type->isFloatTy()) return "f";
  if (type->isDoubleTy()) return "d";
  const auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits());
  return bits == 16 ? "h" : bits == 32 ? "r" : "l";
}

}  // namespace lathe::targets
