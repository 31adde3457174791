// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Missing commas of inline assembly, found in the text: `) "r" (` is nothing else in C++ where `"r"` is a constraint.
#include "dialects/cuda/preprocess/operand_commas.h"

#include <cstddef>

#include "llvm/ADT/StringExtras.h"

namespace lathe::dialects {
namespace {

constexpr llvm::StringRef blanks = " \t";
constexpr llvm::StringRef spaces = " \t\r\n";
constexpr std::size_t none = llvm::StringRef::npos;

/// True if `text` begins with a constraint, such as `"=r"`, and an operand's parenthesis.
bool beginsOperand(llvm::StringRef text) {
  if (!text.consume_front("\"")) return false;
  text = text.ltrim("=+&");
  if (text.empty() || !llvm::isAlpha(text.front())) return false;
  text = text.drop_front();
  return text.consume_front("\"") && text.ltrim(spaces).starts_with("(");
}

}  // namespace

std::string separateOperands(llvm::StringRef text) {
  std::string out;
  if (!text.contains("asm")) return out;
  for (std::size_t at = text.find('"'); at != none; at = text.find('"', at + 1)) {
    if (!beginsOperand(text.substr(at))) continue;
    const std::size_t last = text.take_front(at).find_last_not_of(spaces);
    if (last == none || text[last] != ')') continue;
    const std::size_t blank = text.find_first_of(blanks, last + 1);
    if (blank == none || blank >= at) continue;
    if (out.empty()) out = text.str();
    out[blank] = ',';
  }
  return out;
}

}  // namespace lathe::dialects
