// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of asm statements for AMD's GPUs.
#include "dialects/hip/assembly/operands.h"

#include <iterator>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace lathe::dialects::amd {
namespace {

constexpr char mark = '\1';
constexpr char end = ';';
constexpr llvm::StringRef immediates[] = {"I", "J", "A", "B", "C", "DA", "DB"};
constexpr llvm::StringRef registers[] = {"v", "s", "a", "VA"};
constexpr llvm::StringRef namedRegisters[] = {
    "vcc",        "vcc_lo", "vcc_hi", "exec",  "exec_lo",         "exec_hi",        "scc", "m0", "flat_scratch",
    "xnack_mask", "mode",   "vccz",   "execz", "flat_scratch_lo", "flat_scratch_hi"};
constexpr llvm::StringRef families[] = {"s_",      "v_",       "ds_",      "global_", "flat_",
                                        "buffer_", "tbuffer_", "scratch_", "image_"};

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += part + end;
  return out;
}

std::vector<std::string> parted(llvm::StringRef text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const auto [part, rest] = text.split(end);
    out.push_back(part.str());
    text = rest;
  }
  return out;
}

/// `text` from its first line on that is not empty and no comment.
llvm::StringRef withoutComments(llvm::StringRef text) {
  while (true) {
    text = text.ltrim(" \t\r\n");
    if (text.starts_with(";") || text.starts_with("//"))
      text = text.drop_front(std::min(text.find('\n'), text.size()));
    else if (text.starts_with("/*"))
      text = text.drop_front(text.find("*/") == llvm::StringRef::npos ? text.size() : text.find("*/") + 2);
    else
      return text;
  }
}

}  // namespace

bool isOperand(llvm::StringRef constraint) {
  return llvm::is_contained(registers, constraint) || llvm::is_contained(immediates, constraint) ||
         (constraint.starts_with("{") && constraint.ends_with("}") && isRegister(constraint.drop_front().drop_back()));
}

bool isRegister(llvm::StringRef name) {
  if (llvm::is_contained(namedRegisters, name)) return true;
  if (!name.consume_front("v") && !name.consume_front("s") && !name.consume_front("a")) return false;
  // "ttmp4" and the like no program writes to.
  if (name.consume_front("[") && name.consume_back("]")) {
    const auto [first, last] = name.split(':');
    return !first.empty() && llvm::all_of(first, llvm::isDigit) && llvm::all_of(last, llvm::isDigit);
  }
  return !name.empty() && llvm::all_of(name, llvm::isDigit);
}

llvm::StringRef kindOf(llvm::StringRef constraint) {
  return constraint.ltrim("=+&%");
}

std::string standInOf(llvm::StringRef constraint) {
  const llvm::StringRef kind = kindOf(constraint);
  if (!isOperand(kind)) return constraint.str();
  return constraint.drop_back(kind.size()).str() + (llvm::is_contained(immediates, kind) ? "i" : "r");
}

std::string written(const Head& head) {
  return mark + joined(head.kinds) + mark + joined(head.clobbers) + mark;
}

bool takeHead(llvm::StringRef& text, Head& head) {
  if (text.empty() || text.front() != mark) return false;
  llvm::SmallVector<llvm::StringRef, 3> parts;
  text.drop_front().split(parts, mark, 2);
  if (parts.size() != 3) return false;
  head = {.kinds = parted(parts[0]), .clobbers = parted(parts[1])};
  text = parts[2];
  return true;
}

llvm::StringRef firstInstruction(llvm::StringRef text) {
  text = withoutComments(text);
  // A label may be in front of it.
  for (llvm::StringRef word = text.take_until(llvm::isSpace); word.ends_with(":") || word == ".p2align";
       word = text.take_until(llvm::isSpace))
    text = withoutComments(word.ends_with(":") ? text.drop_front(word.size())
                                               : text.drop_front(std::min(text.find('\n'), text.size())));
  return text.take_until([](char letter) { return llvm::isSpace(letter) || letter == ';'; });
}

bool isText(llvm::StringRef text) {
  const llvm::StringRef first = firstInstruction(text);
  if (first.empty()) return !text.trim(" \t\r\n").empty();
  return llvm::any_of(families, [&](llvm::StringRef family) { return first.starts_with(family); });
}

}  // namespace lathe::dialects::amd
