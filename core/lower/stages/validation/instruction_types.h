// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about the types that an instruction makes or takes, for what a target's `forbid` names.
#pragma once

namespace llvm {
class Instruction;
class Type;
class Value;
}  // namespace llvm

namespace lathe::detail {

/// An integer of a width that only software has.
[[nodiscard]] bool isIllegalInteger(const llvm::Type* type);

/// The type that an atomic instruction reads or writes; null: it is not atomic, or a fence.
[[nodiscard]] const llvm::Type* atomicType(const llvm::Instruction& instruction);

/// The address whose memory `instruction` changes atomically; null: it does not.
[[nodiscard]] const llvm::Value* changedAtomically(const llvm::Instruction& instruction);

/// Whether `instruction` makes or takes a bfloat, alone or in an aggregate, or knows of one in memory.
[[nodiscard]] bool touchesBfloat(const llvm::Instruction& instruction);

/// Computing with floating point; moving such values about is not.
[[nodiscard]] bool isFloatArithmetic(const llvm::Instruction& instruction);

}  // namespace lathe::detail
