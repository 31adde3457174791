// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of instructions (instructions.def): how many operands each has, and the function that translates it.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "dialects/cuda/ptx/emitter.h"

namespace lathe::dialects::ptx {

/// The words behind an instruction's first, which its function takes one by one. One that is left has a meaning that
/// nobody gave it, and refuses the instruction.
class Words {
 public:
  explicit Words(const Instruction& instruction) : words_(instruction.words.begin() + 1, instruction.words.end()) {}

  bool take(llvm::StringRef word);
  /// The first of `words` that is there; empty: none.
  llvm::StringRef takeOneOf(std::initializer_list<llvm::StringRef> words);
  /// The first word that names a type; without one the instruction is refused.
  Type takeType(Emitter& emitter);
  std::optional<Type> maybeType();
  /// A type of integers, of `bits` bits if that is not 0; others are refused.
  Type takeInteger(Emitter& emitter, unsigned bits = 0);
  /// Takes all words that begin with `prefix`.
  void takeAll(llvm::StringRef prefix);
  [[nodiscard]] bool has(llvm::StringRef word) const;
  [[nodiscard]] const std::vector<std::string>& left() const { return words_; }

 private:
  std::vector<std::string> words_;
};

/// Translates one instruction; its guard and the number of its operands have been looked after.
using Translation = void(Emitter& emitter, Words& words, const Instruction& instruction);

struct InstructionForm {
  llvm::StringRef name;
  unsigned least, most;  ///< operands
  Translation* translate;
};

/// Null: there is no translation.
[[nodiscard]] const InstructionForm* findInstruction(llvm::StringRef name);

#define PTX(name, least, most, function) Translation function;
#include "dialects/cuda/ptx/instructions.def"

/// x if it is a normal number, and zero of its sign if it is smaller (`.ftz`).
llvm::Value* flushed(Emitter& emitter, llvm::Value* value);
/// x between 0 and 1, NaN as 0 (`.sat`).
llvm::Value* saturated(Emitter& emitter, llvm::Value* value);

/// Order and scope of an access, as the device ABI counts them (docs/device-abi.md).
struct Order {
  unsigned order = 0;
  unsigned scope = 0;
};

/// Takes `.relaxed`, `.acquire`, `.release`, `.acq_rel` and `.sc`, none of which is relaxed, and the scope, of which
/// none is the device.
Order takeOrder(Words& words);

}  // namespace lathe::dialects::ptx
