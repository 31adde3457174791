// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An expression as CUDA.
#include <array>

#include <fmt/format.h>

#include "tests/fuzz/program.h"

namespace lathe::fuzz {
namespace {

/// By type: of the type, of the signed one of that width, of the array of variables.
constexpr std::array types = {"u32", "u64", "float", "double"};
constexpr std::array signedTypes = {"int", "i64"};
constexpr std::array names = {"u", "l", "f", "d"};

std::string constant(const Expression& e) {
  constexpr std::array reals = {"0.0", "1.0", "-2.5", "0.125", "3.0e5", "-0.0078125"};
  switch (e.type) {
    case Type::number:
      return fmt::format("{}u", e.index);
    case Type::wide:
      return fmt::format("{}ull", e.index * 0x9e3779b97f4a7c15U);
    case Type::real:
      return fmt::format("{}f", reals.at(e.index));
    case Type::twice:
      return reals.at(e.index);
  }
  return {};
}

}  // namespace

std::string textOf(const Expression& e) {
  const auto x = [&](std::size_t i) { return textOf(e.operands.at(i)); };
  const auto infix = [&](std::string_view op) { return fmt::format("({} {} {})", x(0), op, x(1)); };
  const auto typeOf = [](const Expression& one) { return static_cast<std::size_t>(one.type); };
  const bool narrow = e.type == Type::number;
  const bool whole = narrow || e.type == Type::wide;
  const std::size_t type = typeOf(e), from = e.operands.empty() ? 0 : typeOf(e.operands[0]);
  const bool narrowFrom = from == 0;
  const unsigned lastBit = narrow ? 31 : 63;
  switch (e.op) {
    case Op::constant:
      return constant(e);
    case Op::variable:
      return fmt::format("{}[{}]", names.at(type), e.index);
    case Op::g:
      return fmt::format("g[{}]", e.index);
    case Op::w:
      return fmt::format("w[{}]", e.index);
    case Op::counter:
      return fmt::format("c[{}]", e.index);
    case Op::itemId:
      return "item()";
    case Op::laneId:
      return "lane()";
    case Op::warpId:
      return "warp()";
    case Op::groupId:
      return "group()";
    case Op::itemCount:
      return "items()";
    case Op::input:
      return "in[at]";
    case Op::parameter:
      return "n";
    case Op::argument:
      return e.index == 0 ? "a0" : e.index == 1 ? "a1.x" : "a1.y";
    case Op::privateLoad:
      return fmt::format("p[{} % 8]", x(0));
    case Op::byteLoad:
      return fmt::format("u32({}(b[{} % 8]))", e.index ? "i8" : "u8", x(0));
    case Op::halfLoad:
      return fmt::format("u32({}(h[{} % 8]))", e.index ? "i16" : "u16", x(0));
    case Op::ownLoad: {
      constexpr std::array loaded = {"u8", "u16", "u32", "u64", "i8", "i16"};
      return fmt::format("{}(*at_{}(own, {}))", types.at(type), loaded.at(e.index), x(0));
    }
    case Op::add:
      return infix("+");
    case Op::sub:
      return infix("-");
    case Op::mul:
      return infix("*");
    case Op::divide:
      return whole ? fmt::format("({} / ({} | 1))", x(0), x(1)) : infix("/");
    case Op::select:
      return fmt::format("({} ? {} : {})", x(0), x(1), x(2));
    case Op::squareRoot:
      return fmt::format("{}({})", e.type == Type::real ? "sqrtf" : "sqrt", x(0));
    case Op::multiplyAdd:
      return fmt::format("{}({}, {}, {})", e.type == Type::real ? "fmaf" : "fma", x(0), x(1), x(2));
    case Op::bitAnd:
      return infix("&");
    case Op::bitOr:
      return infix("|");
    case Op::bitXor:
      return infix("^");
    case Op::shiftLeft:
      return fmt::format("({} << ({} & {}))", x(0), x(1), lastBit);
    case Op::shiftRight:
      return fmt::format("({} >> ({} & {}))", x(0), x(1), lastBit);
    case Op::signedShift:
      return fmt::format("{}({}({}) >> ({} & {}))", types.at(type), signedTypes.at(type), x(0), x(1), lastBit);
    case Op::modulo:
      return fmt::format("({} % ({} | 1))", x(0), x(1));
    case Op::least:
      return fmt::format("min({}, {})", x(0), x(1));
    case Op::greatest:
      return fmt::format("max({}, {})", x(0), x(1));
    case Op::signedLeast:
      return fmt::format("{}(min({}({}), {}({})))", types.at(type), signedTypes.at(type), x(0), signedTypes.at(type),
                         x(1));
    case Op::signedDivide:
      return fmt::format("{}({}({}) / {}(({} & 255) | 1))", types.at(type), signedTypes.at(type), x(0),
                         signedTypes.at(type), x(1));
    case Op::highProduct:
      return fmt::format("{}({}, {})", narrow ? "__umulhi" : "__umul64hi", x(0), x(1));
    case Op::less:
      return fmt::format("u32({} < {})", x(0), x(1));
    case Op::equal:
      return fmt::format("u32({} == {})", x(0), x(1));
    case Op::signedLess:
      return fmt::format("u32({}({}) < {}({}))", signedTypes.at(from), x(0), signedTypes.at(from), x(1));
    case Op::ones:
      return fmt::format("u32({}({}))", narrowFrom ? "__popc" : "__popcll", x(0));
    case Op::zerosBefore:
      return fmt::format("u32({}({}({})))", narrowFrom ? "__clz" : "__clzll", signedTypes.at(from), x(0));
    case Op::convert:
      if (whole && from >= 2) return fmt::format("u32(whole({}))", x(0));
      return fmt::format("{}({})", types.at(type), x(0));
    case Op::bitsOf:
      return fmt::format("bits({})", x(0));
  }
  return {};
}

}  // namespace lathe::fuzz
