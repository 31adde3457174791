// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of an asm statement as data: PTX instructions (NVIDIA's "PTX ISA") with their operands resolved to registers
// that the text declares, operands of the statement, and special registers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include <lathe/sdk/dialect.h>

namespace lathe::dialects::ptx {

enum class Kind : unsigned char { bits, unsignedInteger, signedInteger, real, brain, predicate };

/// A type of PTX: ".u32" is {unsignedInteger, 32}, ".f16x2" {real, 32, pair}.
struct Type {
  Kind kind = Kind::bits;
  unsigned bits = 0;  ///< of the whole; 1 for predicates
  bool isPair = false;

  [[nodiscard]] bool isReal() const { return kind == Kind::real || kind == Kind::brain; }
  [[nodiscard]] bool isInteger() const { return !isReal() && kind != Kind::predicate; }
  [[nodiscard]] bool isSigned() const { return kind == Kind::signedInteger; }
  bool operator==(const Type&) const = default;
};

/// The type of that name, without the dot; nothing for other words.
[[nodiscard]] std::optional<Type> typeOf(llvm::StringRef word);

struct Operand {
  enum class Kind : unsigned char {
    reg,       ///< `index`: a register that the text declares
    argument,  ///< `index`: an operand of the statement
    special,   ///< `name`: "%laneid"
    label,     ///< `name`: what is no register
    integer,   ///< `value`
    real,      ///< `value`: the bits of a double
    single,    ///< `value`: the bits of a float
    vector,    ///< `parts`
    address,   ///< `parts[0]` and `offset`
    sink,      ///< `_`
  };
  Kind kind = Kind::sink;
  unsigned index = 0;
  std::string name;
  std::uint64_t value = 0;
  std::int64_t offset = 0;
  bool negated = false;            ///< `!p`
  std::vector<Operand> parts;      ///< of vectors and addresses
  std::vector<Operand> predicate;  ///< the second result of `d|p`, if there is one
};

struct Instruction {
  std::string text;                ///< with all words, for messages: "add.cc.u32"
  std::vector<std::string> words;  ///< "add", "cc", "u32"
  std::vector<Operand> operands;
  std::vector<Operand> guard;  ///< the predicate of `@p` or `@!p`, if there is one
  std::string label;           ///< of a step that is a label and no instruction
};

struct Program {
  std::vector<Type> registers;
  std::vector<Instruction> steps;
};

using Refusal = sdk::AssemblyRefusal;

/// Reads the text of a statement as LLVM has it, `$0` for its first operand of `operands`. Returns why it cannot be
/// read, or nothing.
[[nodiscard]] std::optional<Refusal> parse(llvm::StringRef text, unsigned operands, Program& out);

}  // namespace lathe::dialects::ptx
