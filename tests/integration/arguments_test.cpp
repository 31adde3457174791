// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The --arg language against parameter types as images describe them: values, ranges, generators, aggregates, refusals.
#include "tools/lathe/arguments/arguments.h"

#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <lathe/runtime/type_layout.h>

#include "tools/lathe/arguments/value.h"

namespace lathe::tool {
namespace {

TypeLayout scalarType(TypeKind kind, std::uint64_t size, const char* name) {
  TypeLayout type;
  type.kind = kind;
  type.name = name;
  type.size = size;
  type.align = static_cast<std::uint32_t>(size);
  return type;
}

const TypeLayout floatType = scalarType(TypeKind::floating, 4, "float");
const TypeLayout intType = scalarType(TypeKind::signedInteger, 4, "int");
const TypeLayout charType = scalarType(TypeKind::signedInteger, 1, "signed char");
const TypeLayout boolType = scalarType(TypeKind::boolean, 1, "bool");

TypeLayout listOf(TypeKind kind, const TypeLayout& element, std::uint64_t count) {
  TypeLayout type = scalarType(kind, element.size * count, "list");
  type.align = element.align;
  type.count = count;
  type.element = {element};
  return type;
}

/// A record of these fields, placed as C places them.
TypeLayout recordOf(const char* name, const std::vector<std::pair<const char*, TypeLayout>>& fields) {
  TypeLayout type = scalarType(TypeKind::record, 0, name);
  type.align = 1;
  for (const auto& [field, layout] : fields) {
    const std::uint64_t offset = (type.size + layout.align - 1) / layout.align * layout.align;
    type.fields.push_back({field, offset, layout});
    type.size = offset + layout.size;
    type.align = std::max(type.align, layout.align);
  }
  type.size = (type.size + type.align - 1) / type.align * type.align;
  return type;
}

Parameter pointerTo(const TypeLayout& pointee) {
  Parameter parameter;
  parameter.name = "p";
  parameter.type = scalarType(TypeKind::pointer, 8, "pointer");
  parameter.type.element = {pointee};
  return parameter;
}

Parameter valueOf(const TypeLayout& type) {
  return {"v", type, 0, false};
}

template <class T>
T read(const Argument& argument, std::size_t offset = 0) {
  T value{};
  EXPECT_LE(offset + sizeof value, argument.value.size());
  std::memcpy(&value, argument.value.data() + offset, sizeof value);
  return value;
}

std::string messageOf(std::string_view text, const Parameter& parameter) {
  const auto argument = parseArgument(text, parameter, 0);
  return argument ? "accepted" : argument.error().message;
}

Argument accepted(std::string_view text, const Parameter& parameter) {
  auto argument = parseArgument(text, parameter, 0);
  EXPECT_TRUE(argument) << text << ": " << (argument ? "" : argument.error().message);
  return argument ? *std::move(argument) : Argument{};
}

TEST(Arguments, ScalarsReachTheirLimitsAndNoFurther) {
  for (const unsigned bits : {8u, 16u, 32u, 64u}) {
    const Parameter wide = valueOf(scalarType(TypeKind::signedInteger, bits / 8, "signed"));
    const Parameter plain = valueOf(scalarType(TypeKind::unsignedInteger, bits / 8, "unsigned"));
    const std::uint64_t mostSigned = ~std::uint64_t{0} >> (65 - bits), mostUnsigned = ~std::uint64_t{0} >> (64 - bits);
    EXPECT_EQ(messageOf(std::to_string(mostSigned), wide), "accepted");
    EXPECT_EQ(messageOf("-" + std::to_string(mostSigned + 1), wide), "accepted");
    EXPECT_NE(messageOf(std::to_string(mostSigned + 1), wide), "accepted");
    EXPECT_NE(messageOf("-" + std::to_string(mostSigned + 2), wide), "accepted");
    EXPECT_EQ(messageOf(std::to_string(mostUnsigned), plain), "accepted");
    EXPECT_NE(messageOf("-1", plain), "accepted");
    if (bits < 64) {
      EXPECT_NE(messageOf(std::to_string(mostUnsigned + 1), plain), "accepted");
    }
  }
  EXPECT_NE(messageOf("18446744073709551616", valueOf(scalarType(TypeKind::unsignedInteger, 8, "u"))), "accepted");
  EXPECT_EQ(read<std::int32_t>(accepted("-0x10", valueOf(intType))), -16);
  EXPECT_NE(messageOf("300", valueOf(charType)).find("outside the range of i8, -128 to 127"), std::string::npos);
}

TEST(Arguments, ScalarsAreNotGuessed) {
  for (const char* text : {"", "1.5", "1e3", "x", "1 ", " 1", "0x", "--1", "true"})
    EXPECT_NE(messageOf(text, valueOf(intType)), "accepted") << text;
  EXPECT_EQ(read<bool>(accepted("true", valueOf(boolType))), true);
  EXPECT_NE(messageOf("2", valueOf(boolType)), "accepted");
  EXPECT_NE(messageOf("one", valueOf(floatType)), "accepted");
  EXPECT_NE(messageOf("1e39", valueOf(floatType)), "accepted");
  EXPECT_EQ(read<float>(accepted("-2.5e-3", valueOf(floatType))), -2.5e-3f);
  EXPECT_EQ(read<float>(accepted("-inf", valueOf(floatType))), -INFINITY);
  EXPECT_TRUE(std::isnan(read<float>(accepted("nan", valueOf(floatType)))));
}

TEST(Arguments, TextIsRoundedOnce) {
  const auto single = [](const char* text) { return read<float>(accepted(text, valueOf(floatType))); };
  EXPECT_EQ(single("1.000000059604644775390625"), 1.0f);  // halfway: to even
  EXPECT_EQ(single("1.00000005960464477539062500000000001"), 1 + 0x1p-23f);
  EXPECT_EQ(single("1.000000178813934326171875"), 1 + 0x1p-22f);
  EXPECT_EQ(single("1.00000017881393432617187499999999"), 1 + 0x1p-23f);
  EXPECT_EQ(single("-1.00000005960464477539062500000000001"), -1 - 0x1p-23f);
  EXPECT_EQ(single("0x1000001000000001"), 0x1.000002p60f);
  const ElementType f16 = *elementNamed("f16");
  std::uint16_t bits = 0;
  EXPECT_FALSE(storeText(f16, "1.000488281250000000000000001", reinterpret_cast<std::byte*>(&bits)));
  EXPECT_EQ(bits, 0x3C01);
}

TEST(Arguments, HalfPrecisionRoundsToNearestEven) {
  const ElementType f16 = *elementNamed("f16"), bf16 = *elementNamed("bf16");
  const auto bitsOf = [](ElementType type, double value) {
    std::uint16_t bits = 0xDEAD;
    EXPECT_TRUE(storeFloating(type, value, reinterpret_cast<std::byte*>(&bits))) << value;
    return bits;
  };
  EXPECT_EQ(bitsOf(f16, 1.0), 0x3C00);
  EXPECT_EQ(bitsOf(f16, -2.0), 0xC000);
  EXPECT_EQ(bitsOf(f16, 65504.0), 0x7BFF);
  EXPECT_EQ(bitsOf(f16, 1 + 0x1p-11), 0x3C00);      // a tie goes to the even neighbour below
  EXPECT_EQ(bitsOf(f16, 1 + 3 * 0x1p-11), 0x3C02);  // and above
  EXPECT_EQ(bitsOf(f16, 0x1p-24), 0x0001);
  EXPECT_EQ(bitsOf(f16, 0x1p-25), 0x0000);
  EXPECT_EQ(bitsOf(f16, 0x1.ffcp-15), 0x03FF + 1u);  // the largest subnormal's upper neighbour
  EXPECT_EQ(bitsOf(f16, -0.0), 0x8000);
  EXPECT_EQ(bitsOf(f16, INFINITY), 0x7C00);
  std::uint16_t unused = 0;
  EXPECT_FALSE(storeFloating(f16, 65520.0, reinterpret_cast<std::byte*>(&unused)));
  // Every finite bfloat16 is the upper half of a float.
  for (std::uint32_t bits = 0; bits < 0x7F80; ++bits) EXPECT_EQ(bitsOf(bf16, std::bit_cast<float>(bits << 16)), bits);
  // Every finite half reads back to itself.
  for (std::uint16_t bits = 0; bits < 0x7C00; ++bits)
    EXPECT_EQ(bitsOf(f16, scalarJson(f16, reinterpret_cast<const std::byte*>(&bits)).get<double>()), bits);
}

TEST(Arguments, GeneratorsFillWhatTheySay) {
  const Argument iota = accepted("iota:f32[2,3]", pointerTo(floatType));
  ASSERT_TRUE(iota.array);
  EXPECT_EQ(iota.array->shape, (std::vector<std::uint64_t>{2, 3}));
  for (std::size_t i = 0; i < 6; ++i) {
    float value = 0;
    std::memcpy(&value, iota.array->bytes.data() + i * 4, 4);
    EXPECT_EQ(value, static_cast<float>(i));
  }
  EXPECT_NE(messageOf("iota:i8[129]", pointerTo(charType)), "accepted");
  EXPECT_EQ(messageOf("iota:i8[128]", pointerTo(charType)), "accepted");
  EXPECT_EQ(accepted("zeros:f32[0]", pointerTo(floatType)).array->bytes.size(), 0u);
  for (const char* text :
       {"zeros:f32", "zeros:f32[]", "zeros:f32[x]", "zeros:f99[4]", "zeros:f32[4", "zeros:f32[4],seed=1",
        "random:f32[4],seed=", "random:f32[4],seed=x", "zeros:f32[9999999999999999]", "null:", "banana"})
    EXPECT_NE(messageOf(text, pointerTo(floatType)), "accepted") << text;
}

TEST(Arguments, RandomIsReproducibleUniformAndSeeded) {
  const Parameter parameter = pointerTo(floatType);
  const auto bytes = [&](const char* text) { return accepted(text, parameter).array->bytes; };
  EXPECT_EQ(bytes("random:f32[4096],seed=7"), bytes("random:f32[4096],seed=7"));
  EXPECT_NE(bytes("random:f32[4096],seed=7"), bytes("random:f32[4096],seed=8"));
  const std::vector<std::byte> values = bytes("random:f32[4096]");
  double sum = 0;
  for (std::size_t i = 0; i < 4096; ++i) {
    float value = 0;
    std::memcpy(&value, values.data() + i * 4, 4);
    ASSERT_GE(value, 0.0f);
    ASSERT_LT(value, 1.0f);
    sum += value;
  }
  EXPECT_NEAR(sum / 4096, 0.5, 5 * std::sqrt(1.0 / 12 / 4096));
}

TEST(Arguments, PointersCheckTheirElementType) {
  EXPECT_NE(messageOf("zeros:f64[4]", pointerTo(floatType)).find("give an array of f32"), std::string::npos);
  EXPECT_NE(messageOf("zeros:u32[4]", pointerTo(intType)), "accepted");
  EXPECT_EQ(messageOf("zeros:c64[4]", pointerTo(floatType)), "accepted");
  EXPECT_EQ(messageOf("zeros:i64[4]", pointerTo(TypeLayout())), "accepted");  // void*
  EXPECT_EQ(messageOf("null", pointerTo(floatType)), "accepted");
  EXPECT_NE(messageOf("3", pointerTo(floatType)), "accepted");
  const TypeLayout float4 =
      recordOf("float4", {{"x", floatType}, {"y", floatType}, {"z", floatType}, {"w", floatType}});
  EXPECT_EQ(messageOf("zeros:f32[8]", pointerTo(float4)), "accepted");
  EXPECT_NE(messageOf("zeros:f32[6]", pointerTo(float4)).find("no whole number of 'float4'"), std::string::npos);
  const TypeLayout mixed = recordOf("Mixed", {{"a", charType}, {"b", floatType}});
  EXPECT_EQ(messageOf("zeros:u8[16]", pointerTo(mixed)), "accepted");
  EXPECT_NE(messageOf("zeros:f32[4]", pointerTo(mixed)), "accepted");
  EXPECT_NE(messageOf("zeros:f32[4]", valueOf(floatType)).find("not a pointer"), std::string::npos);
}

TEST(Arguments, JsonFillsAggregatesByName) {
  const TypeLayout inner = recordOf("Inner", {{"flag", boolType}, {"at", listOf(TypeKind::array, intType, 2)}});
  const TypeLayout outer = recordOf("Outer", {{"c", charType}, {"inner", inner}, {"f", floatType}});
  const Argument argument =
      accepted(R"(json:{"f": 1.5, "c": -3, "inner": {"at": [7, -8], "flag": true}})", valueOf(outer));
  EXPECT_EQ(read<std::int8_t>(argument), -3);
  EXPECT_EQ(read<bool>(argument, 4), true);
  EXPECT_EQ(read<std::int32_t>(argument, 8), 7);
  EXPECT_EQ(read<std::int32_t>(argument, 12), -8);
  EXPECT_EQ(read<float>(argument, 16), 1.5f);
  EXPECT_EQ(argument.value, accepted("json:[-3, [true, [7, -8]], 1.5]", valueOf(outer)).value);
  // What was encoded decodes to the same document.
  EXPECT_EQ(decodeJson(outer, argument.value),
            Json::parse(R"({"c": -3, "inner": {"flag": true, "at": [7, -8]}, "f": 1.5})"));
  for (const char* text :
       {"json:", "json:{", "json:3", "json:{}", "json:[1]", R"(json:{"f":1,"c":2,"inner":{"flag":1,"at":[1,2]},"g":0})",
        R"(json:{"f":1,"c":200,"inner":{"flag":1,"at":[1,2]}})", R"(json:{"f":1,"c":2,"inner":{"flag":1,"at":[1]}})",
        R"(json:{"f":null,"c":2,"inner":{"flag":1,"at":[1,2]}})", "5"})
    EXPECT_NE(messageOf(text, valueOf(outer)), "accepted") << text;
  EXPECT_NE(
      messageOf(R"(json:{"f":1,"c":2,"inner":{"flag":1,"at":[1,1.5]}})", valueOf(outer)).find("('v').inner.at[1]"),
      std::string::npos);
}

TEST(Arguments, ArraysOfCharAreTexts) {
  const TypeLayout letter = scalarType(TypeKind::signedInteger, 1, "char");
  const TypeLayout name = recordOf("Name", {{"text", listOf(TypeKind::array, letter, 4)}});
  const Argument argument = accepted(R"(json:{"text": "ab"})", valueOf(name));
  EXPECT_EQ(argument.value, accepted(R"(json:{"text": [97, 98, 0, 0]})", valueOf(name)).value);
  EXPECT_EQ(decodeJson(name, argument.value), Json::parse(R"({"text": "ab"})"));
  EXPECT_EQ(accepted(R"(json:{"text": "abcd"})", valueOf(name)).value.size(), 4U);
  EXPECT_NE(messageOf(R"(json:{"text": "abcde"})", valueOf(name)).find("takes up to 4 characters"), std::string::npos);
  // What is no text stays numbers.
  for (const char* numbers : {R"({"text":[97,0,98,0]})", R"({"text":[1,2,0,0]})", R"({"text":[-61,98,0,0]})"})
    EXPECT_EQ(decodeJson(name, accepted(std::string("json:") + numbers, valueOf(name)).value), Json::parse(numbers));
}

TEST(Arguments, JsonFlattensBasesAndTakesOneOfAUnion) {
  TypeLayout derived = recordOf("Derived", {{"", recordOf("Base", {{"b", intType}})}, {"d", intType}});
  EXPECT_EQ(read<std::int32_t>(accepted(R"(json:{"b": 5, "d": 6})", valueOf(derived)), 4), 6);
  TypeLayout either = recordOf("Either", {{"i", intType}});
  either.fields.push_back({"f", 0, floatType});
  EXPECT_EQ(read<float>(accepted(R"(json:{"f": 2})", valueOf(either))), 2.0f);
  EXPECT_NE(messageOf(R"(json:{"f": 2, "i": 1})", valueOf(either)), "accepted");
  EXPECT_NE(messageOf("json:{}", valueOf(either)), "accepted");
}

TEST(Arguments, EnumeratorsGoByTheirNames) {
  TypeLayout color = scalarType(TypeKind::unsignedInteger, 4, "Color");
  color.fields = {{"red", 0, {}}, {"green", 7, {}}, {"last", 0xffffffff, {}}};
  const TypeLayout dot = recordOf("Dot", {{"x", intType}, {"color", color}});
  const Argument argument = accepted(R"(json:{"x": 1, "color": "last"})", valueOf(dot));
  EXPECT_EQ(read<std::uint32_t>(argument, 4), 0xffffffffU);
  EXPECT_EQ(decodeJson(dot, argument.value), Json::parse(R"({"x": 1, "color": "last"})"));
  EXPECT_EQ(accepted("green", valueOf(color)).value, accepted("7", valueOf(color)).value);
  EXPECT_EQ(decodeJson(color, accepted("8", valueOf(color)).value), 8);  // nobody's
  EXPECT_NE(messageOf("blue", valueOf(color)).find("'Color' has 'red', 'green', 'last'"), std::string::npos);
  color.kind = TypeKind::signedInteger;
  color.fields = {{"none", ~std::uint64_t{0}, {}}};
  EXPECT_EQ(decodeJson(color, accepted("-1", valueOf(color)).value), "none");
}

TEST(Arguments, BitFieldsAreMembers) {
  const TypeLayout whole = scalarType(TypeKind::unsignedInteger, 8, "unsigned long long");
  TypeLayout mode = scalarType(TypeKind::unsignedInteger, 4, "Mode");
  mode.fields = {{"slow", 0, {}}, {"fast", 1, {}}};
  TypeLayout flags = scalarType(TypeKind::record, 10, "Flags");
  // As clang packs them: the fourth lies in nine bytes.
  flags.fields = {{"low", 0, bitField(intType, 3, 0)},
                  {"mode", 0, bitField(mode, 1, 3)},
                  {"high", 0, bitField(scalarType(TypeKind::unsignedInteger, 4, "unsigned"), 3, 4)},
                  {"wide", 0, bitField(whole, 64, 7)},
                  {"on", 9, bitField(boolType, 1, 0)}};
  const char* const text = R"({"low": -4, "mode": "fast", "high": 5, "wide": 18364758544493064720, "on": true})";
  const Argument argument = accepted(std::string("json:") + text, valueOf(flags));
  EXPECT_EQ(decodeJson(flags, argument.value), Json::parse(text));
  EXPECT_EQ(read<std::uint8_t>(argument), 0x4 | 1 << 3 | 5 << 4);
  EXPECT_EQ(accepted(R"(json:[-4, 1, 5, 18364758544493064720, 1])", valueOf(flags)).value, argument.value);
  for (const char* low : {"4", "-5", "\"x\"", "null", "1.5"}) {
    const std::string wrong = fmt::format(R"(json:{{"low": {}, "mode": 0, "high": 0, "wide": 0, "on": 0}})", low);
    EXPECT_NE(messageOf(wrong.c_str(), valueOf(flags)), "accepted") << low;
  }
}

TEST(Arguments, JsonArraysMakePointees) {
  const TypeLayout mixed = recordOf("Mixed", {{"a", charType}, {"b", floatType}});
  const Argument argument = accepted(R"(json:[{"a": 1, "b": 2}, [3, 4]])", pointerTo(mixed));
  ASSERT_TRUE(argument.array);
  EXPECT_EQ(argument.array->bytes.size(), 16u);
  EXPECT_EQ(std::to_integer<int>(argument.array->bytes[8]), 3);
  EXPECT_EQ(accepted("json:[1, 2, 3]", pointerTo(floatType)).array->type, *elementNamed("f32"));
  EXPECT_NE(messageOf("json:[1, \"x\"]", pointerTo(floatType)), "accepted");
  EXPECT_NE(messageOf("json:[1]", pointerTo(TypeLayout())), "accepted");
}

TEST(Arguments, HexGivesExactBytes) {
  EXPECT_EQ(read<std::uint32_t>(accepted("hex:01 02_03ff", valueOf(intType))), 0xFF030201u);
  for (const char* text : {"hex:", "hex:010203", "hex:0102030405", "hex:0102030", "hex:0102030g"})
    EXPECT_NE(messageOf(text, valueOf(intType)), "accepted") << text;
}

TEST(Arguments, CountsAndNamesAreChecked) {
  EntryPoint entry;
  entry.name = "scale";
  entry.parameters = {{"n", intType, 0, false}, pointerTo(floatType)};
  const auto tooFew = parseArguments({"1"}, entry);
  ASSERT_FALSE(tooFew);
  EXPECT_EQ(tooFew.error().message, "scale(int n, pointer p): takes 2 arguments but 1 was given");
  EXPECT_TRUE(parseArguments({"1", "null"}, entry));
  EXPECT_FALSE(parseArguments({"1", "null", "3"}, entry));
  EXPECT_EQ(*parameterNamed("1", entry), 1u);
  EXPECT_EQ(*parameterNamed("p", entry), 1u);
  EXPECT_FALSE(parameterNamed("2", entry));
  EXPECT_FALSE(parameterNamed("", entry));
}

}  // namespace
}  // namespace lathe::tool
