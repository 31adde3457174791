// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precedence climbing. Everything is evaluated, as a preprocessor expands everything; what goes wrong in any part makes
// the whole unknown, which costs a second run of the front end and is never wrong.
#include "core/frontend/reuse/condition.h"

#include <limits>

#include "llvm/ADT/StringExtras.h"

namespace lathe::detail {
namespace {

using Value = std::optional<std::int64_t>;

struct Binary {
  llvm::StringRef text;
  int precedence;
};
/// Longer ones before those that they begin with.
constexpr Binary binaries[] = {{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
                               {"<<", 8}, {">>", 8}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
                               {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

Value applied(llvm::StringRef operation, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  constexpr std::int64_t bits = 63;
  if (operation == "||") return a != 0 || b != 0;
  if (operation == "&&") return a != 0 && b != 0;
  if (operation == "==") return a == b;
  if (operation == "!=") return a != b;
  if (operation == "<=") return a <= b;
  if (operation == ">=") return a >= b;
  if (operation == "<") return a < b;
  if (operation == ">") return a > b;
  if (operation == "|") return a | b;
  if (operation == "^") return a ^ b;
  if (operation == "&") return a & b;
  if (operation == "+" && !__builtin_add_overflow(a, b, &out)) return out;
  if (operation == "-" && !__builtin_sub_overflow(a, b, &out)) return out;
  if (operation == "*" && !__builtin_mul_overflow(a, b, &out)) return out;
  const bool divides = b != 0 && !(a == std::numeric_limits<std::int64_t>::min() && b == -1);
  if (operation == "/" && divides) return a / b;
  if (operation == "%" && divides) return a % b;
  if (operation == "<<" && a >= 0 && b >= 0 && b < bits && (a >> (bits - b)) == 0) return a << b;
  if (operation == ">>" && b >= 0 && b < bits) return a >> b;
  return std::nullopt;
}

class Parser {
 public:
  Parser(llvm::StringRef text, const MacroKnowledge& macros) : rest_(text), macros_(macros) {}

  Value whole() {
    const Value out = choice();
    skipSpace();
    return rest_.empty() ? out : std::nullopt;
  }

 private:
  void skipSpace() { rest_ = rest_.ltrim(" \t\r\n\\"); }  // with ends of lines that go on
  bool take(llvm::StringRef word) {
    skipSpace();
    return rest_.consume_front(word);
  }
  llvm::StringRef takeName() {
    skipSpace();
    const llvm::StringRef name = rest_.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    rest_ = rest_.drop_front(name.size());
    return name;
  }

  Value choice() {
    const Value condition = binary(1);
    if (!take("?")) return condition;
    const Value yes = choice();
    if (!take(":")) return std::nullopt;
    const Value no = choice();
    if (!condition || !yes || !no) return std::nullopt;
    return *condition != 0 ? yes : no;
  }

  Value binary(int least) {
    Value left = unary();
    while (true) {
      skipSpace();
      const auto* const operation =
          llvm::find_if(binaries, [&](const Binary& one) { return rest_.starts_with(one.text); });
      if (operation == std::end(binaries) || operation->precedence < least) return left;
      rest_ = rest_.drop_front(operation->text.size());
      const Value right = binary(operation->precedence + 1);
      left = left && right ? applied(operation->text, *left, *right) : std::nullopt;
    }
  }

  Value unary() {
    if (++depth_ > mostDepth) return std::nullopt;
    const Value out = unaryWithin();
    --depth_;
    return out;
  }

  Value unaryWithin() {
    if (take("!")) {
      const Value value = unary();
      return value ? Value(*value == 0) : std::nullopt;
    }
    if (take("-")) {
      const Value value = unary();
      return value ? applied("-", 0, *value) : std::nullopt;
    }
    if (take("+")) return unary();
    if (take("~")) {
      const Value value = unary();
      return value ? Value(~*value) : std::nullopt;
    }
    if (take("(")) {
      const Value value = choice();
      return take(")") ? value : std::nullopt;
    }
    const llvm::StringRef name = takeName();
    if (name.empty()) return std::nullopt;
    if (llvm::isDigit(name.front())) return number(name);
    if (name != "defined") return macros_.value(name);
    const bool parenthesis = take("(");
    const llvm::StringRef asked = takeName();
    if (asked.empty() || (parenthesis && !take(")"))) return std::nullopt;
    const std::optional<bool> isDefined = macros_.isDefined(asked);
    return isDefined ? Value(*isDefined) : std::nullopt;
  }

  static Value number(llvm::StringRef text) {
    const llvm::StringRef digits = text.rtrim("lL");
    std::int64_t out = 0;
    if (digits.contains_insensitive("u") || digits.getAsInteger(0, out)) return std::nullopt;
    return out;
  }

  static constexpr int mostDepth = 100;
  int depth_ = 0;
  llvm::StringRef rest_;
  const MacroKnowledge& macros_;
};

}  // namespace

std::optional<std::int64_t> evaluateCondition(llvm::StringRef text, const MacroKnowledge& macros) {
  return Parser(text, macros).whole();
}

}  // namespace lathe::detail
