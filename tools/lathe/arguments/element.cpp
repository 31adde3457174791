// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element-type table and conversions. Half precision is IEEE 754 binary16; bfloat16 is the upper half of binary32.
#include "tools/lathe/arguments/element.h"

#include <array>
#include <bit>
#include <cfenv>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include <lathe/runtime/type_layout.h>

namespace lathe::tool {
namespace {

struct Row {
  std::string_view name;
  std::string_view npyName;
  ElementType type;
};

constexpr std::array<Row, 15> rows = {{
    {"f32", "<f4", {TypeKind::floating, 4, 1}},
    {"f64", "<f8", {TypeKind::floating, 8, 1}},
    {"f16", "<f2", {TypeKind::floating, 2, 1}},
    {"bf16", "<V2", {TypeKind::bfloat, 2, 1}},
    {"i8", "|i1", {TypeKind::signedInteger, 1, 1}},
    {"i16", "<i2", {TypeKind::signedInteger, 2, 1}},
    {"i32", "<i4", {TypeKind::signedInteger, 4, 1}},
    {"i64", "<i8", {TypeKind::signedInteger, 8, 1}},
    {"u8", "|u1", {TypeKind::unsignedInteger, 1, 1}},
    {"u16", "<u2", {TypeKind::unsignedInteger, 2, 1}},
    {"u32", "<u4", {TypeKind::unsignedInteger, 4, 1}},
    {"u64", "<u8", {TypeKind::unsignedInteger, 8, 1}},
    {"bool", "|b1", {TypeKind::boolean, 1, 1}},
    {"c64", "<c8", {TypeKind::floating, 4, 2}},
    {"c128", "<c16", {TypeKind::floating, 8, 2}},
}};

const Row* rowOf(ElementType type) {
  for (const Row& row : rows)
    if (row.type == type) return &row;
  return nullptr;
}

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

/// Rounds the magnitude of `value` to a format with `fraction` stored bits whose normal numbers start at 2^`least`, to
/// nearest even, and gives its bits without the sign; all-ones exponents are the caller's.
std::uint16_t narrow(double value, int fraction, int least) {
  int exponent = 0;
  std::frexp(value, &exponent);  // value = m * 2^exponent, 0.5 <= m < 1
  exponent = std::max(exponent - 1, least);
  // Doubles hold the scaled significand exactly; nearbyint() rounds ties to even in the default mode.
  const double significand = std::nearbyint(std::ldexp(value, fraction - exponent));
  const auto bits = static_cast<std::uint32_t>(significand);
  const std::uint32_t implicit = 1u << fraction;
  // A significand that rounded up to the next power of two carries into the exponent by itself.
  return static_cast<std::uint16_t>(
      bits < implicit ? bits : (static_cast<std::uint32_t>(exponent - least) << fraction) + bits);
}

bool storeSmall(double value, int fraction, int least, std::uint16_t infinity, std::byte* to) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  std::uint16_t bits = infinity;
  if (std::isnan(value))
    bits = static_cast<std::uint16_t>(infinity | 1u << (fraction - 1));
  else if (std::isfinite(value)) {
    // 2^(2 - least) is twice the largest power of two of the format; beyond it, rounding cannot come back.
    if (std::fabs(value) >= std::ldexp(1.0, 2 - least)) return false;
    bits = narrow(std::fabs(value), fraction, least);
    if (bits >= infinity) return false;
  }
  store(to, static_cast<std::uint16_t>(sign | bits));
  return true;
}

double halfToDouble(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const double fraction = bits & 1023;
  double value = 0;
  if (exponent == 31)
    value = fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else
    value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  return std::copysign(value, bits & 0x8000 ? -1.0 : 1.0);
}

bool isInteger(ElementType type) {
  return type.kind == TypeKind::signedInteger || type.kind == TypeKind::unsignedInteger;
}

std::string rangeOf(ElementType type) {
  const unsigned bits = type.scalarBytes * 8;
  if (type.kind == TypeKind::boolean) return "0 to 1";
  if (type.kind == TypeKind::unsignedInteger) return fmt::format("0 to {}", ~std::uint64_t{0} >> (64 - bits));
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
  return fmt::format("{} to {}", -most - 1, most);
}

/// Sign and magnitude, decimal or 0x; nothing if the text is no integer, `overflow` if it needs more than 64 bits.
struct ParsedInteger {
  bool negative = false;
  bool overflow = false;
  std::uint64_t magnitude = 0;
};

std::optional<ParsedInteger> parseInteger(std::string_view text) {
  ParsedInteger out;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    out.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  }
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out.magnitude, base);
  if (status == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
  out.overflow = status == std::errc::result_out_of_range;
  return out;
}

std::optional<std::string> storeIntegerText(ElementType type, std::string_view text, std::byte* to) {
  const std::optional<ParsedInteger> parsed = parseInteger(text);
  if (!parsed) return fmt::format("'{}' is not an integer", text);
  const std::string outside = fmt::format("{} is outside the range of {}, {}", text, nameOf(type), rangeOf(type));
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (parsed->overflow || (parsed->negative && parsed->magnitude > most + 1)) return outside;
  if (!parsed->negative && parsed->magnitude > most) {  // only u64 holds these
    if (type.kind != TypeKind::unsignedInteger || type.scalarBytes != 8) return outside;
    store(to, parsed->magnitude);
    return std::nullopt;
  }
  const auto value = static_cast<std::int64_t>(parsed->negative ? 0 - parsed->magnitude : parsed->magnitude);
  if (!storeInteger(type, value, to)) return outside;
  return std::nullopt;
}

/// The number that `text` writes, with `nearest` for a double, to be rounded once more: of the two doubles beside it
/// the one with an odd significand, so that what is not halfway between two numbers of fewer bits is not taken for that
/// (S. Boldo, G. Melquiond, "When double rounding is odd").
double roundedToOdd(const std::string& text, double nearest) {
  if (!std::isfinite(nearest)) return nearest;
  const int mode = std::fegetround();
  const auto rounded = [&](int direction) {
    std::fesetround(direction);
    return std::strtod(text.c_str(), nullptr);
  };
  const double below = rounded(FE_DOWNWARD), above = rounded(FE_UPWARD);
  std::fesetround(mode);
  return std::bit_cast<std::uint64_t>(below) % 2 != 0 ? below : above;
}

std::optional<std::string> storeFloatingText(ElementType type, std::string_view text, std::byte* to) {
  const std::string_view digits = !text.empty() && text[0] == '+' ? text.substr(1) : text;
  double value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = end == digits.data() + digits.size();
  const auto store = [&](const std::string& decimal, double nearest) {
    return storeFloating(type, type.scalarBytes == sizeof(double) ? nearest : roundedToOdd(decimal, nearest), to);
  };
  if (status == std::errc::invalid_argument || !whole) {
    if (const auto hexadecimal = parseInteger(text); hexadecimal && !hexadecimal->overflow) {
      const auto magnitude = static_cast<double>(hexadecimal->magnitude);
      const std::string decimal = (hexadecimal->negative ? "-" : "") + std::to_string(hexadecimal->magnitude);
      if (store(decimal, hexadecimal->negative ? -magnitude : magnitude)) return std::nullopt;
    } else {
      return fmt::format("'{}' is not a number", text);
    }
  } else if (status != std::errc::result_out_of_range && store(std::string(digits), value)) {
    return std::nullopt;
  }
  return fmt::format("{} is outside the range of {}", text, nameOf(type));
}

}  // namespace

std::optional<ElementType> elementNamed(std::string_view name) {
  for (const Row& row : rows)
    if (row.name == name) return row.type;
  return std::nullopt;
}

std::string_view nameOf(ElementType type) {
  const Row* row = rowOf(type);
  return row ? row->name : "bytes";
}

std::string elementNames() {
  std::string out;
  for (const Row& row : rows) out += fmt::format("{}{}", out.empty() ? "" : ", ", row.name);
  return out;
}

std::string_view npyNameOf(ElementType type) {
  const Row* row = rowOf(type);
  return row ? row->npyName : "|V1";
}

std::optional<ElementType> elementOfNpyName(std::string_view name) {
  for (const Row& row : rows)
    if (row.npyName == name || (row.npyName.substr(1) == name.substr(std::min<std::size_t>(1, name.size())) &&
                                (row.type.bytes() == 1 || row.type.kind == TypeKind::bfloat)))
      return row.type;
  return std::nullopt;
}

std::optional<ElementType> scalarWithin(const TypeLayout& type) {
  switch (type.kind) {
    case TypeKind::boolean:
    case TypeKind::signedInteger:
    case TypeKind::unsignedInteger:
    case TypeKind::floating:
    case TypeKind::bfloat: {
      const ElementType element{type.kind, static_cast<std::uint32_t>(type.size), 1};
      if (isBitField(type)) return std::nullopt;
      return rowOf(element) ? std::optional(element) : std::nullopt;
    }
    case TypeKind::array:
    case TypeKind::vector:
      if (type.element.empty() || type.count == 0 || type.element[0].size != type.size / type.count)
        return std::nullopt;
      return type.size % type.count == 0 ? scalarWithin(type.element[0]) : std::nullopt;
    case TypeKind::record: {
      std::optional<ElementType> common;
      std::uint64_t end = 0;
      for (const TypeLayout::Field& field : type.fields) {
        const std::optional<ElementType> one = scalarWithin(field.type);
        if (!one || (common && *common != *one) || field.offset != end) return std::nullopt;
        common = one;
        end += field.type.size;
      }
      return end == type.size ? common : std::nullopt;
    }
    case TypeKind::pointer:
    case TypeKind::opaque:
      return std::nullopt;
  }
  return std::nullopt;
}

bool storeInteger(ElementType type, std::int64_t value, std::byte* to) {
  const unsigned bits = type.scalarBytes * 8;
  if (type.kind == TypeKind::floating || type.kind == TypeKind::bfloat)
    return storeFloating(type, static_cast<double>(value), to);
  if (type.kind == TypeKind::boolean && (value < 0 || value > 1)) return false;
  if (type.kind == TypeKind::unsignedInteger && (value < 0 || (bits < 64 && value >> bits != 0))) return false;
  if (type.kind == TypeKind::signedInteger && bits < 64 && (value >> (bits - 1) != 0 && value >> (bits - 1) != -1))
    return false;
  std::memcpy(to, &value, type.scalarBytes);  // little endian: the low bytes come first
  return true;
}

bool storeFloating(ElementType type, double value, std::byte* to) {
  if (type.kind == TypeKind::bfloat) return storeSmall(value, 7, -126, 0x7F80, to);
  if (type.scalarBytes == 2) return storeSmall(value, 10, -14, 0x7C00, to);
  if (type.scalarBytes == 8) {
    store(to, value);
    return true;
  }
  // Halfway between FLT_MAX and 2^128; converting anything from there on up is undefined or gives infinity.
  if (std::isfinite(value) && std::fabs(value) >= 0x1.ffffffp127) return false;
  store(to, static_cast<float>(value));
  return true;
}

std::optional<std::string> storeText(ElementType type, std::string_view text, std::byte* to) {
  if (type.kind == TypeKind::boolean && (text == "true" || text == "false")) {
    store(to, static_cast<std::uint8_t>(text == "true"));
    return std::nullopt;
  }
  if (type.kind == TypeKind::boolean || isInteger(type)) return storeIntegerText(type, text, to);
  return storeFloatingText(type, text, to);
}

std::string scalarText(ElementType type, const std::byte* from) {
  const Json json = scalarJson(type, from);
  if (json.is_string()) return json.get<std::string>();
  // fmt prints the shortest text that reads back to the same value of the same type.
  if (type.kind == TypeKind::floating && type.scalarBytes == 4) return fmt::format("{}", load<float>(from));
  if (json.is_number_float()) return fmt::format("{}", json.get<double>());
  return json.dump();
}

Json scalarJson(ElementType type, const std::byte* from) {
  if (type.kind == TypeKind::boolean) return load<std::uint8_t>(from) != 0;
  if (isInteger(type)) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, from, type.scalarBytes);
    if (type.kind == TypeKind::unsignedInteger) return bits;
    const unsigned unused = 64 - type.scalarBytes * 8;
    return static_cast<std::int64_t>(bits << unused) >> unused;
  }
  double value = 0;
  if (type.kind == TypeKind::bfloat)
    value = std::bit_cast<float>(static_cast<std::uint32_t>(load<std::uint16_t>(from)) << 16);
  else if (type.scalarBytes == 2)
    value = halfToDouble(load<std::uint16_t>(from));
  else
    value = type.scalarBytes == 4 ? static_cast<double>(load<float>(from)) : load<double>(from);
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return value;
}

std::uint64_t Array::count() const {
  return type.bytes() ? bytes.size() / type.bytes() : 0;
}

std::optional<std::uint64_t> arrayBytes(ElementType type, std::span<const std::uint64_t> shape) {
  std::uint64_t total = type.bytes();
  bool empty = false;
  for (const std::uint64_t extent : shape) {
    empty |= extent == 0;
    if (extent != 0 && __builtin_mul_overflow(total, extent, &total)) return std::nullopt;
  }
  if (total > static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max())) return std::nullopt;
  return empty ? 0 : total;
}

std::string describe(const Array& array) {
  return fmt::format("{}[{}]", nameOf(array.type), fmt::join(array.shape, ","));
}

}  // namespace lathe::tool
