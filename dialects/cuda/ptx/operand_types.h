// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace lathe::dialects::ptx {

/// The types of a statement's outputs in their order.
[[nodiscard]] llvm::SmallVector<llvm::Type*> resultTypes(const llvm::CallInst& statement);

/// Marks an asm statement with an operand whose type is not that of its constraint's register as refused
/// (sdk::attribute::assemblyRefusal): "h", "r", "l" and "q" are integers of 16, 32, 64 and 128 bits (an address is one
/// of 64), "f" and "d" are float and double. CUDA's compiler refuses such operands, Clang widens, cuts or reinterprets
/// them.
void checkOperandTypes(llvm::CallInst& statement);

}  // namespace lathe::dialects::ptx
