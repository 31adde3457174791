// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/bpf/verifier/rules.h"

#include <cctype>
#include <vector>

#include "core/support/text.h"

namespace lathe::bpf::detail {
namespace {

using lathe::detail::replaced;

struct Rule {
  std::string_view message, words, hint;
};

constexpr Rule rules[] = {
#define LATHE_VERIFIER_RULE(message, words, hint) {message, words, hint},
#include "runtimes/bpf/verifier/rules.def"
};

/// The texts that the stars of `pattern` stand for in `text`, each the shortest that fits; nothing if it does not fit.
std::optional<std::vector<std::string>> match(std::string_view pattern, std::string_view text) {
  std::vector<std::string> out;
  while (!pattern.empty()) {
    if (pattern.front() != '*') {
      const std::string_view literal = pattern.substr(0, pattern.find('*'));
      if (!text.starts_with(literal)) return {};
      text.remove_prefix(literal.size());
      pattern.remove_prefix(literal.size());
      continue;
    }
    pattern.remove_prefix(1);
    if (pattern.empty()) {
      out.emplace_back(text);
      return out;
    }
    const std::string_view literal = pattern.substr(0, pattern.find('*'));
    const bool last = literal.size() == pattern.size();
    const std::size_t at = last ? text.rfind(literal) : text.find(literal);
    if (at == std::string_view::npos || (last && at + literal.size() != text.size())) return {};
    out.emplace_back(text.substr(0, at));
    text.remove_prefix(at);
  }
  return text.empty() ? std::optional(std::move(out)) : std::nullopt;
}

std::string filled(std::string_view text, const std::vector<std::string>& stars, std::string_view holds) {
  std::string out = replaced(std::string(text), "$R", holds);
  for (std::size_t i = 0; i < stars.size() && i < 9; ++i) out = replaced(out, "$" + std::to_string(i + 1), stars[i]);
  // Where nothing is known of the register, there is nothing in parentheses.
  return replaced(out, " ()", "");
}

}  // namespace

std::optional<Explanation> explain(std::string_view message, std::string_view holds) {
  for (const Rule& rule : rules) {
    if (const auto stars = match(rule.message, message))
      return Explanation{filled(rule.words, *stars, holds), filled(rule.hint, *stars, holds)};
  }
  return {};
}

unsigned registerNamedIn(std::string_view message) {
  constexpr unsigned none = 11;
  for (std::size_t i = 0; i + 1 < message.size(); ++i) {
    if (message[i] != 'R' || (i > 0 && std::isalnum(static_cast<unsigned char>(message[i - 1])) != 0)) continue;
    if (std::isdigit(static_cast<unsigned char>(message[i + 1])) == 0) continue;
    unsigned number = static_cast<unsigned>(message[i + 1] - '0');
    if (number == 1 && i + 2 < message.size() && message[i + 2] == '0') number = 10;
    return number;
  }
  return none;
}

}  // namespace lathe::bpf::detail
