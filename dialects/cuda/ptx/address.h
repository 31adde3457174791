// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of PTX as pointers of LLVM.
//
// In PTX an address of shared memory is a number of 32 bits, and programs keep it as one. Elsewhere such memory may lie
// anywhere, but all that a group has of it lies close together: the number is the lower half of the address, and one
// variable in that memory tells the upper half.
#pragma once

#include "dialects/cuda/ptx/emitter.h"

namespace lathe::dialects::ptx {

enum class Space : unsigned char { generic, shared };

/// The pointer, of generic space, that an operand is: a register, or a number of the program's.
llvm::Value* addressOf(Emitter& emitter, const Operand& operand, Space space);
/// The same of `[a+4]`, and of an operand without brackets.
llvm::Value* memoryOperand(Emitter& emitter, const Operand& operand, Space space);
/// The number, of 32 or 64 bits, that stands for a pointer to shared memory.
llvm::Value* sharedAddress(Emitter& emitter, llvm::Value* pointer, unsigned bits);

/// The pointer, of generic space, that such a number or a pointer to shared memory is.
llvm::Value* sharedPointer(Emitter& emitter, llvm::Value* address);

}  // namespace lathe::dialects::ptx
