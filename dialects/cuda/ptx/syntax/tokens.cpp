// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda/ptx/syntax/tokens.h"

#include <algorithm>

#include "llvm/ADT/StringExtras.h"

namespace lathe::dialects::ptx {
namespace {

/// The place behind `${:uid}`, by which a statement makes its labels different from those of its copies; 0: none here.
std::size_t endOfUnique(llvm::StringRef text) {
  constexpr llvm::StringLiteral unique = "${:uid}";
  return text.starts_with(unique) ? unique.size() : 0;
}

bool isNamePart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '%' || c == ':' || c == '$';
}

std::size_t endOfName(llvm::StringRef text) {
  std::size_t at = 1;
  while (at < text.size()) {
    if (const std::size_t unique = endOfUnique(text.drop_front(at))) {
      at += unique;
      continue;
    }
    // `shared::cta` is a word, `LABEL:` is a word and a sign.
    if (text[at] == ':' && !text.drop_front(at).starts_with("::")) break;
    if (!isNamePart(text[at])) break;
    at += text[at] == ':' ? 2 : 1;
  }
  return std::min(at, text.size());
}

std::size_t endOfNumber(llvm::StringRef text) {
  std::size_t at = 1;
  const bool hexadecimal = text.size() > 1 && text[0] == '0' && llvm::isAlpha(text[1]);
  while (at < text.size()) {
    const bool exponentSign =
        !hexadecimal && (text[at] == '+' || text[at] == '-') && (text[at - 1] == 'e' || text[at - 1] == 'E');
    if (!llvm::isAlnum(text[at]) && text[at] != '.' && !exponentSign) break;
    ++at;
  }
  return at;
}

}  // namespace

void Tokens::skipBlanks() {
  while (true) {
    rest_ = rest_.ltrim();
    if (rest_.starts_with("//"))
      rest_ = rest_.drop_front(std::min(rest_.find('\n'), rest_.size()));
    else if (rest_.starts_with("/*"))
      rest_ = rest_.drop_front(std::min(rest_.find("*/", 2), rest_.size() - 2) + 2);
    else
      return;
  }
}

void Tokens::advance() {
  skipBlanks();
  std::size_t length = rest_.empty() ? 0 : 1;
  if (!rest_.empty()) {
    const char first = rest_.front();
    if (first == '$' && rest_.size() > 1 && llvm::isDigit(rest_[1])) {
      while (length < rest_.size() && llvm::isDigit(rest_[length])) ++length;
    } else if (llvm::isDigit(first)) {
      length = endOfNumber(rest_);
    } else if (llvm::isAlpha(first) || first == '_' || first == '.' || first == '%' || first == '$') {
      length = endOfName(rest_);
    }
  }
  now_ = rest_.take_front(length);
  rest_ = rest_.drop_front(length);
}

bool Tokens::take(llvm::StringRef sign) {
  if (now_ != sign) return false;
  advance();
  return true;
}

}  // namespace lathe::dialects::ptx
