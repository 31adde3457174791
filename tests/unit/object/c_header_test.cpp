// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C headers made of layouts: names, structures that C can express, and those that it cannot.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/image/interface.h"

namespace lathe::detail {
namespace {

TypeLayout scalar(TypeKind kind, std::string name, std::uint32_t size) {
  TypeLayout out;
  out.kind = kind;
  out.name = std::move(name);
  out.size = out.align = size;
  return out;
}
TypeLayout integer() {
  return scalar(TypeKind::signedInteger, "int", 4);
}

TypeLayout record(std::string name, std::uint64_t size, std::uint32_t align, std::vector<TypeLayout::Field> fields) {
  TypeLayout out;
  out.kind = TypeKind::record;
  out.name = std::move(name);
  out.size = size;
  out.align = align;
  out.fields = std::move(fields);
  return out;
}

/// The header of one kernel that takes `type`.
std::string headerOf(const TypeLayout& type, std::string parameter = "p") {
  ImageInfo info;
  info.provenance.sourceName = "folder/my kernels.cpp";
  EntryPoint entry;
  entry.name = "k";
  entry.parameters.push_back({std::move(parameter), type, 0, false});
  info.entries.push_back(std::move(entry));
  ObjectInterface interface;
  interface.hostStubs = {"k"};
  return cHeader(info, interface);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CIdentifier, KeepsWhatCAllows) {
  EXPECT_EQ(cIdentifier("saxpy"), "saxpy");
  EXPECT_EQ(cIdentifier("trailing_"), "trailing_");
  EXPECT_EQ(cIdentifier("ns::blur"), "ns_blur");
  EXPECT_EQ(cIdentifier("scale<float>"), "scale_float");
  EXPECT_EQ(cIdentifier("k<const char*, -5>"), "k_const_char_ptr_m5");
  EXPECT_EQ(cIdentifier("3d"), "_3d");
  EXPECT_EQ(cIdentifier(""), "_");
  EXPECT_EQ(cIdentifier("\xc3\xa4"), "uc3ua4");
}

TEST(CHeader, PassesScalarsByValueAndTheRestByPointer) {
  EXPECT_TRUE(has(headerOf(scalar(TypeKind::boolean, "bool", 1)), "launch, bool p);"));
  EXPECT_TRUE(has(headerOf(scalar(TypeKind::unsignedInteger, "unsigned long", 8)), "launch, uint64_t p);"));
  EXPECT_TRUE(has(headerOf(scalar(TypeKind::floating, "_Float16", 2)), "launch, const uint16_t *p);"));
  EXPECT_TRUE(has(headerOf(scalar(TypeKind::signedInteger, "__int128", 16)), "launch, const void *p);"));
  EXPECT_TRUE(has(headerOf(record("S", 4, 4, {{"a", 0, integer()}})), "launch, const struct my_kernels_S *p);"));
}

TEST(CHeader, GivesNamesThatCReserves) {
  EXPECT_TRUE(has(headerOf(integer(), "restrict"), "int32_t restrict_);"));
  EXPECT_TRUE(has(headerOf(integer(), ""), "int32_t argument0);"));
  EXPECT_TRUE(has(headerOf(integer(), "launch"), "(const struct lathe_launch *lathe_launch_of_call, int32_t launch);"));
}

TEST(CHeader, ShowsPaddingThatAlignmentDoesNotMake) {
  const std::string text = headerOf(record("S", 16, 8, {{"a", 4, integer()}, {"b", 8, integer()}}));
  EXPECT_TRUE(has(text, "LATHE_ALIGNAS(8) unsigned char lathe_pad0[4];")) << text;
  EXPECT_TRUE(has(text, "offsetof(struct my_kernels_S, b) == 8"));
  EXPECT_TRUE(has(text, "sizeof(struct my_kernels_S) == 16"));
}

TEST(CHeader, ShowsBytesWhereCHasNoMembers) {
  // A packed member, and one in the padding of a base class.
  const std::string packed =
      headerOf(record("P", 5, 1, {{"tag", 0, scalar(TypeKind::signedInteger, "char", 1)}, {"value", 1, integer()}}));
  EXPECT_TRUE(has(packed, "unsigned char value[4];")) << packed;
  const TypeLayout base =
      record("B", 8, 4, {{"a", 0, integer()}, {"c", 4, scalar(TypeKind::signedInteger, "char", 1)}});
  const std::string reused =
      headerOf(record("D", 8, 4, {{"", 0, base}, {"d", 5, scalar(TypeKind::signedInteger, "char", 1)}}));
  EXPECT_TRUE(has(reused, "LATHE_ALIGNAS(4) unsigned char bytes[8];")) << reused;
}

TEST(CHeader, DefinesAStructureOnce) {
  TypeLayout pointer = scalar(TypeKind::pointer, "const S *", 8);
  pointer.element = {record("const S", 4, 4, {{"a", 0, integer()}})};
  const TypeLayout inner = record("S", 4, 4, {{"a", 0, integer()}});
  const std::string text = headerOf(record("T", 16, 8, {{"s", 0, inner}, {"to", 8, pointer}}));
  EXPECT_EQ(text.find("struct my_kernels_S {"), text.rfind("struct my_kernels_S {"));
  EXPECT_TRUE(has(text, "const struct my_kernels_S *to;")) << text;
  EXPECT_LT(text.find("struct my_kernels_S {"), text.find("struct my_kernels_T {"));
}

TEST(CHeader, CannotBeEndedByAName) {
  ImageInfo info;
  info.provenance.sourceName = "x*/#error\n.cpp";
  const std::string text = cHeader(info, {});
  EXPECT_FALSE(has(text, "x*/")) << text;
}

TEST(Manifest, IsJson) {
  ImageInfo info;
  EntryPoint entry;
  entry.name = "ns::k<int>";
  entry.parameters.push_back({"p", record("S", 4, 4, {{"a", 0, integer()}}), 0, false});
  info.entries.push_back(entry);
  ObjectInterface interface;
  interface.hostStubs = {"ns_k_int"};
  interface.functions.push_back({"f", integer(), {{"x", integer(), 0, false}}});
  interface.externals = {"memcpy"};
  const auto json = nlohmann::json::parse(manifest(info, interface));
  EXPECT_EQ(json["entries"][0]["function"], "ns_k_int");
  EXPECT_EQ(json["entries"][0]["parameters"][0]["by_value"], false);
  EXPECT_EQ(json["functions"][0]["result"]["kind"], "int");
  EXPECT_EQ(json["functions"][0]["parameters"][0]["name"], "x");
  EXPECT_EQ(json["requires"][0], "memcpy");
}

}  // namespace
}  // namespace lathe::detail
