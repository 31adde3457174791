// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grammar of what stands in asm statements: blocks, declarations of registers, labels, guarded instructions. Names
// are resolved here, innermost block first.
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include "dialects/cuda/ptx/syntax/program.h"
#include "dialects/cuda/ptx/syntax/tokens.h"

namespace lathe::dialects::ptx {

std::optional<Type> typeOf(llvm::StringRef word) {
  if (word == "pred") return Type{Kind::predicate, 1};
  if (word == "f16") return Type{Kind::real, 16};
  if (word == "f16x2") return Type{Kind::real, 32, true};
  if (word == "f32") return Type{Kind::real, 32};
  if (word == "f64") return Type{Kind::real, 64};
  if (word == "bf16") return Type{Kind::brain, 16};
  if (word == "bf16x2") return Type{Kind::brain, 32, true};
  if (word.size() < 2) return std::nullopt;
  Type out;
  switch (word.front()) {
    case 'b':
      break;
    case 'u':
      out.kind = Kind::unsignedInteger;
      break;
    case 's':
      out.kind = Kind::signedInteger;
      break;
    default:
      return std::nullopt;
  }
  const llvm::StringRef width = word.drop_front();
  if (width != "8" && width != "16" && width != "32" && width != "64" && width != "128") return std::nullopt;
  (void)width.getAsInteger(10, out.bits);
  return out;
}

namespace {

constexpr std::size_t mostRegisters = 4096;
constexpr std::size_t mostSteps = 16384;

class Parser {
 public:
  Parser(llvm::StringRef text, unsigned operands, Program& out) : tokens_(text), operands_(operands), out_(out) {
    scopes_.emplace_back();
  }

  std::optional<Refusal> run() {
    while (!refusal_ && !tokens_.atEnd()) statement();
    if (!refusal_ && scopes_.size() > 1) refuse("ends within a block", "close it with '}'");
    return std::move(refusal_);
  }

 private:
  void refuse(const std::string& what, std::string hint) {
    if (!refusal_) refusal_ = Refusal{"inline PTX that " + what, std::move(hint)};
  }
  void expected(llvm::StringRef what) {
    const std::string found = tokens_.atEnd() ? "at its end" : "before '" + tokens_.now().str() + "'";
    refuse("lacks " + what.str() + " " + found, "compare it with the syntax of NVIDIA's PTX ISA");
  }
  void need(llvm::StringRef sign) {
    if (!tokens_.take(sign)) expected("'" + sign.str() + "'");
  }

  void statement() {
    if (tokens_.take(";")) return;
    if (tokens_.take("{")) return scopes_.emplace_back(), void();
    if (tokens_.take("}")) {
      if (scopes_.size() == 1) return refuse("closes a block that it did not open", "take the '}' away");
      return scopes_.pop_back();
    }
    if (tokens_.take(".reg")) return declaration();
    if (tokens_.now().starts_with(".")) {
      return refuse("has the directive '" + tokens_.now().str() + "'",
                    "declare shared memory and data outside of the statement, and pass their address");
    }
    if (out_.steps.size() == mostSteps) return refuse("has too many instructions", "divide the statement");
    Instruction& step = out_.steps.emplace_back();
    if (tokens_.take("@")) step.guard.push_back(operand());
    if (refusal_) return;
    const llvm::StringRef name = tokens_.now();
    if (name.empty() || !(llvm::isAlpha(name.front()) || name.front() == '_' || name.front() == '$'))
      return expected("an instruction");
    tokens_.advance();
    if (step.guard.empty() && tokens_.take(":")) {
      step.label = name.str();
      return;
    }
    step.text = name.str();
    llvm::SmallVector<llvm::StringRef> words;
    name.split(words, '.');
    for (const llvm::StringRef word : words) step.words.push_back(word.str());
    while (!refusal_ && !tokens_.atEnd() && tokens_.now() != ";") {
      step.operands.push_back(operand());
      if (tokens_.now() != ";" && !tokens_.atEnd() && !refusal_) need(",");
    }
    if (!refusal_) need(";");
  }

  /// `.reg .b32 a, b;` and `.reg .b32 r<4>;`, which is r0 to r3.
  void declaration() {
    std::optional<Type> type;
    while (tokens_.now().starts_with(".")) {
      llvm::StringRef word = tokens_.now().drop_front();
      if (word == "v2" || word == "v4") return refuse("declares a vector of registers", "declare them one by one");
      type = typeOf(word);
      if (!type) return refuse("declares registers of type '" + word.str() + "'", "use a type of the PTX ISA");
      tokens_.advance();
    }
    if (!type) return expected("a type of registers");
    do {
      const std::string name = tokens_.now().str();
      if (name.empty() || !(llvm::isAlpha(name.front()) || name.front() == '_' || name.front() == '%'))
        return expected("a name of a register");
      tokens_.advance();
      if (!tokens_.take("<")) {
        declare(name, *type);
        continue;
      }
      unsigned count = 0;
      if (tokens_.now().getAsInteger(10, count)) return expected("a number of registers");
      tokens_.advance();
      need(">");
      if (count > mostRegisters) return refuse("declares too many registers", "declare those that it uses");
      for (unsigned i = 0; i < count && !refusal_; ++i) declare(name + std::to_string(i), *type);
    } while (!refusal_ && tokens_.take(","));
    if (!refusal_) need(";");
  }
  void declare(const std::string& name, Type type) {
    if (out_.registers.size() == mostRegisters)
      return refuse("declares too many registers", "declare those that it uses");
    scopes_.back()[name] = static_cast<unsigned>(out_.registers.size());
    out_.registers.push_back(type);
  }

  Operand operand() {
    Operand out = tokens_.take("!") ? negated(simple()) : simple();
    if (!refusal_ && tokens_.take("|")) out.predicate.push_back(simple());
    return out;
  }
  static Operand negated(Operand operand) {
    operand.negated = true;
    return operand;
  }

  Operand simple() {
    Operand out;
    const llvm::StringRef token = tokens_.now();
    if (tokens_.take("{")) {
      out.kind = Operand::Kind::vector;
      do {
        if (tokens_.now() == "{" || tokens_.now() == "[")
          return refuse("has a vector of what is no register", "write its elements"), out;
        out.parts.push_back(simple());
      } while (!refusal_ && tokens_.take(","));
      need("}");
      return out;
    }
    if (tokens_.take("[")) return address();
    if (tokens_.take("_")) return out;
    if (tokens_.take("-")) return number(/*isNegative=*/true);
    if (!token.empty() && llvm::isDigit(token.front())) return number(/*isNegative=*/false);
    if (token.size() > 1 && token.front() == '$' && llvm::isDigit(token[1])) return argument();
    if (token.empty() || !(llvm::isAlpha(token.front()) || llvm::StringRef("_%$").contains(token.front())))
      return expected("an operand"), out;
    out.name = token.str();
    tokens_.advance();
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto found = scope->find(out.name);
      if (found == scope->end()) continue;
      out.kind = Operand::Kind::reg;
      out.index = found->second;
      return out;
    }
    const bool isSpecial = llvm::StringRef(out.name).starts_with("%") || out.name == "WARP_SZ";
    out.kind = isSpecial ? Operand::Kind::special : Operand::Kind::label;
    return out;
  }

  Operand argument() {
    Operand out;
    out.kind = Operand::Kind::argument;
    if (tokens_.now().drop_front().getAsInteger(10, out.index) || out.index >= operands_)
      refuse("names an operand that the statement does not have", "number the operands from %0");
    tokens_.advance();
    return out;
  }

  /// `[a]`, `[a+4]`, `[a-4]`, `[4]`; the bracket is read.
  Operand address() {
    Operand out;
    out.kind = Operand::Kind::address;
    if (tokens_.now() == "{" || tokens_.now() == "[") return expected("an address"), out;
    out.parts.push_back(simple());
    while (!refusal_ && (tokens_.now() == "+" || tokens_.now() == "-")) {
      const bool isNegative = tokens_.now() == "-";
      tokens_.advance();
      const bool minus = tokens_.take("-");
      const Operand offset = simple();
      if (offset.kind == Operand::Kind::argument && !isNegative && !minus && out.parts.size() == 1) {
        out.parts.push_back(offset);  // an immediate of the statement
        continue;
      }
      if (offset.kind != Operand::Kind::integer) return expected("a number behind an address's sign"), out;
      const std::uint64_t distance = isNegative != minus ? 0 - offset.value : offset.value;
      out.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(out.offset) + distance);
    }
    need("]");
    return out;
  }

  Operand number(bool isNegative) {
    Operand out;
    out.kind = Operand::Kind::integer;
    llvm::StringRef token = tokens_.now();
    const auto hexadecimal = [&](std::size_t digits) {
      if (token.size() != 2 + digits || token.drop_front(2).getAsInteger(16, out.value)) expected("a number");
    };
    if (token.starts_with_insensitive("0f")) {
      out.kind = Operand::Kind::single;
      hexadecimal(8);
      if (isNegative) out.value ^= 0x80000000U;
    } else if (token.starts_with_insensitive("0d")) {
      out.kind = Operand::Kind::real;
      hexadecimal(16);
      if (isNegative) out.value ^= std::uint64_t{1} << 63;
    } else if (token.contains('.') || (!token.starts_with_insensitive("0x") && token.contains_insensitive("e"))) {
      out.kind = Operand::Kind::real;
      llvm::APFloat value(llvm::APFloat::IEEEdouble());
      auto status = value.convertFromString(token, llvm::APFloat::rmNearestTiesToEven);
      if (!status) {
        llvm::consumeError(status.takeError());
        return expected("a number"), out;
      }
      if (isNegative) value.changeSign();
      out.value = value.bitcastToAPInt().getZExtValue();
    } else {
      (void)token.consume_back_insensitive("U");
      if (token.getAsInteger(0, out.value)) return expected("a number"), out;
      if (isNegative) out.value = 0 - out.value;
    }
    tokens_.advance();
    return out;
  }

  Tokens tokens_;
  unsigned operands_;
  Program& out_;
  std::vector<llvm::StringMap<unsigned>> scopes_;
  std::optional<Refusal> refusal_;
};

}  // namespace

std::optional<Refusal> parse(llvm::StringRef text, unsigned operands, Program& out) {
  return Parser(text, operands, out).run();
}

}  // namespace lathe::dialects::ptx
