// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers of types whose BTF is damaged: whatever the bytes are, there is a text or an error, soon. What good headers
// hold is tested by kernel_types.py and skeleton_names.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <lathe/bpf_types.h>

#include "machine.h"

namespace {

using Words = std::vector<std::uint32_t>;
using Bytes = std::vector<std::byte>;

/// BTF of these type words and names.
Bytes btfOf(const Words& types, const std::string& names) {
  const auto typeBytes = static_cast<std::uint32_t>(types.size() * 4);
  const Words header = {0x0001eb9f, 24, 0, typeBytes, typeBytes, static_cast<std::uint32_t>(names.size())};
  Bytes out((header.size() + types.size()) * 4 + names.size());
  std::memcpy(out.data(), header.data(), header.size() * 4);
  std::memcpy(out.data() + 24, types.data(), types.size() * 4);
  std::memcpy(out.data() + 24 + types.size() * 4, names.data(), names.size());
  return out;
}

lathe::Result<std::string> headerOf(const Bytes& btf, const std::vector<std::string>& names) {
  const std::string file = testing::TempDir() + "lathe_names_test.btf";
  std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(btf.data()), std::ssize(btf));
  const auto types = lathe::bpf::Types::ofFile(file);
  std::filesystem::remove(file);
  if (!types) return types.error();
  for (const std::string& name : names) static_cast<void>(types->layout(name));
  return types->header(names);
}

constexpr std::uint32_t structure = 4U << 24, pointer = 2U << 24, prototype = 13U << 24, typedefOf = 8U << 24,
                        enumeration = 6U << 24, array = 3U << 24;

TEST(BpfNames, OfCirclesEnd) {
  const std::string names = std::string("\0a\0b\0", 5);
  // struct a { struct a b; }, by value and within an unnamed one.
  EXPECT_TRUE(headerOf(btfOf({1, structure | 1, 8, 3, 1, 0}, names), {"a"}));
  EXPECT_TRUE(headerOf(btfOf({1, structure | 1, 8, 0, 2, 0, 0, structure | 1, 8, 0, 2, 0}, names), {"a"}));
  // A pointer to itself, and a typedef of itself.
  EXPECT_TRUE(headerOf(btfOf({1, structure | 1, 8, 3, 2, 0, 0, pointer, 2}, names), {"a"}));
  EXPECT_TRUE(headerOf(btfOf({1, typedefOf, 1}, names), {"a"}));
  // An array of itself.
  EXPECT_TRUE(headerOf(btfOf({1, typedefOf, 2, 0, array, 0, 2, 2, 3}, names), {"a"}));
  // A function that takes pointers to itself, twice: 2^32 and more are never written.
  EXPECT_TRUE(headerOf(btfOf({1, typedefOf, 2, 0, pointer, 3, 0, prototype | 2, 0, 0, 2, 0, 2}, names), {"a"}));
}

TEST(BpfNames, OfManyLevelsEnd) {
  // Unnamed structures that hold the next one twice, and 100,000 levels of one.
  for (const std::uint32_t each : {2U, 1U}) {
    const std::uint32_t levels = each == 2 ? 60 : 100'000;
    Words words = {1, typedefOf, 2};
    for (std::uint32_t i = 2; i < levels + 2; ++i) {
      words.insert(words.end(), {0, structure | each, 8});
      for (std::uint32_t j = 0; j < each; ++j) words.insert(words.end(), {3, i + 1, 0});
    }
    EXPECT_TRUE(headerOf(btfOf(words, std::string("\0a\0b\0", 5)), {"a"}));
  }
}

TEST(BpfNames, AreIdentifiers) {
  const std::string names("\0a;#error\0b b\0x\"\\\n\0", 19);
  const std::uint32_t second = 10, third = 14;
  const auto header =
      headerOf(btfOf({1, structure | 1, 4, second, 2, 0, third, enumeration | 1, 4, second, 7}, names), {"a;#error"});
  ASSERT_TRUE(header) << header.error().render();
  EXPECT_NE(header->find("struct a__error {\n  enum x___ b_b;\n}"), std::string::npos) << *header;
  EXPECT_EQ(header->find("#error\n"), std::string::npos) << *header;
}

TEST(BpfNames, OfDamagedTypesEnd) {
  const auto image = lathe::test::compileProgram(R"(
    #include <lathe/bpf.h>
    struct Inner { __u8 a : 3, b : 7; int* pointer; enum : __s8 { none = -1 } state; };
    union Either { int number; char letters[16]; };
    struct Outer { Inner inner[2]; Either either; int (*call)(Inner*, int, ...); struct { int deep; }; };
    typedef const Outer* Reference;
    struct Root { Reference reference; Outer outer; Root* next; };
    SEC("syscall") int run(Root* root) { return root->outer.inner[1].a; }
    LATHE_BPF_LICENSE("GPL");)");
  ASSERT_TRUE(image) << image.error().render();
  const auto elf = image->code().front().bytes;
  Bytes bytes(elf.begin(), elf.end());
  const Bytes magic = {std::byte{0x9f}, std::byte{0xeb}, std::byte{1}, std::byte{0}};
  const auto begin = std::ranges::search(bytes, magic).begin();
  ASSERT_NE(begin, bytes.end());
  const std::vector<std::string> names = {"Root", "Reference"};
  ASSERT_TRUE(lathe::bpf::Types::ofObject(bytes)->header(names));
  std::size_t headers = 0;
  for (auto at = begin; at != bytes.end() && at - begin < 1200; ++at) {
    for (const unsigned change : {0x01U, 0x5aU, 0x80U, 0xffU}) {
      const std::byte before = *at;
      *at ^= static_cast<std::byte>(change);
      if (const auto types = lathe::bpf::Types::ofObject(bytes)) {
        headers += types->header(names) ? 1 : 0;
        static_cast<void>(types->layout("Root"));
      }
      *at = before;
    }
  }
  EXPECT_GT(headers, 500U);
}

}  // namespace
