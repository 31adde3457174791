// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of asm statements for AMD's GPUs, which the triple of this parse does not know. Clang gets stand-ins for
// them, and the statement's text has a head with what was written, by which code generation's result is put right.
//
//   written:      asm("v_mov_b32 %0, %1" : "=v"(x) : "s"(y) : "v7", "memory")
//   Clang reads:  asm("\1v;s;\1v7;\1v_mov_b32 %0, %1" : "=r"(x) : "r"(y) : "memory")
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace lathe::dialects::amd {

/// Whether a constraint without `=`, `+`, `&` and `%` is one that Clang has for AMD's GPUs alone: registers (v, s, a,
/// {v7}) and constants that instructions hold (I, J, A, B, C, DA, DB).
[[nodiscard]] bool isOperand(llvm::StringRef constraint);
/// Whether a clobber names a register of theirs: vcc, exec, scc, m0, v7, s[0:1], …
[[nodiscard]] bool isRegister(llvm::StringRef name);

/// `constraint` without what stands in front of the operand's kind: "=&v" is "v".
[[nodiscard]] llvm::StringRef kindOf(llvm::StringRef constraint);
/// The constraint with a kind that every triple of Clang's takes.
[[nodiscard]] std::string standInOf(llvm::StringRef constraint);

/// The head of a statement's text.
struct Head {
  std::vector<std::string> kinds;     ///< of outputs and inputs, as they were written
  std::vector<std::string> clobbers;  ///< that Clang did not get
};
[[nodiscard]] std::string written(const Head& head);
/// Takes the head off `text`; false: it has none.
bool takeHead(llvm::StringRef& text, Head& head);

/// Whether a text without such operands is AMD's all the same: its first instruction has a name of theirs, or it is a
/// comment as their assembler has it.
[[nodiscard]] bool isText(llvm::StringRef text);
/// The first instruction's name; empty: there are comments only.
[[nodiscard]] llvm::StringRef firstInstruction(llvm::StringRef text);

}  // namespace lathe::dialects::amd
