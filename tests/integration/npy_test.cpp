// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .npy files: round trips of every type, the variants NumPy writes, and everything that must be refused.
#include "tools/lathe/arguments/npy.h"

#include <cstring>

#include <gtest/gtest.h>

namespace lathe::tool {
namespace {

/// A version-`major` file with this header text and data.
std::string npyFile(std::string header, std::string_view data, char major = 1) {
  header += '\n';
  std::string out = "\x93NUMPY";
  out += {major, 0};
  const auto length = static_cast<std::uint32_t>(header.size());
  for (int byte = 0; byte < (major == 1 ? 2 : 4); ++byte) out += static_cast<char>(length >> (8 * byte) & 0xFF);
  return out + header + std::string(data);
}

std::string headerFor(std::string_view descr, std::string_view shape, std::string_view fortran = "False") {
  return "{'descr': '" + std::string(descr) + "', 'fortran_order': " + std::string(fortran) +
         ", 'shape': " + std::string(shape) + ", }";
}

std::string messageOf(std::string_view bytes) {
  const auto array = parseNpy(bytes, "in.npy");
  if (array) return "accepted";
  EXPECT_EQ(array.error().code, ErrorCode::FileInvalid);
  return array.error().message;
}

TEST(Npy, RoundTripsEveryElementType) {
  for (const char* name :
       {"f32", "f64", "f16", "bf16", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool", "c64", "c128"}) {
    const std::optional<ElementType> type = elementNamed(name);
    ASSERT_TRUE(type) << name;
    Array array{*type, {2, 3}, std::vector<std::byte>(6 * type->bytes())};
    for (std::size_t i = 0; i < array.bytes.size(); ++i) array.bytes[i] = static_cast<std::byte>(i * 37 + 1);
    const std::string file = npyBytes(array);
    const auto back = parseNpy(file, "x");
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->type, array.type) << name;
    EXPECT_EQ(back->shape, array.shape) << name;
    EXPECT_EQ(back->bytes, array.bytes) << name;
  }
}

TEST(Npy, WritesAlignedDataAndNumpysTupleForms) {
  const ElementType u8 = *elementNamed("u8");
  for (const std::vector<std::uint64_t>& shape : {std::vector<std::uint64_t>{}, {5}, {5, 1}, {0, 7}}) {
    const Array array{u8, shape, std::vector<std::byte>(*arrayBytes(u8, shape))};
    const std::string file = npyBytes(array);
    EXPECT_EQ((file.size() - array.bytes.size()) % 64, 0u);
    const auto back = parseNpy(file, "x");
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->shape, shape);
  }
  EXPECT_NE(npyBytes({u8, {5}, std::vector<std::byte>(5)}).find("'shape': (5,), }"), std::string::npos);
}

TEST(Npy, ReadsVersionsTwoAndThree) {
  for (const char major : {char{2}, char{3}}) {
    const auto array = parseNpy(npyFile(headerFor("<i2", "(2,)"), std::string_view("\1\0\2\0", 4), major), "x");
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->count(), 2u);
  }
  EXPECT_NE(messageOf(npyFile(headerFor("<i2", "(0,)"), "", 4)).find("version 4"), std::string::npos);
}

TEST(Npy, AcceptsFortranOrderOnlyWhereItMeansNothing) {
  EXPECT_EQ(messageOf(npyFile(headerFor("|u1", "(3,)", "True"), "abc")), "accepted");
  EXPECT_NE(messageOf(npyFile(headerFor("|u1", "(1, 3)", "True"), "abc")).find("Fortran order"), std::string::npos);
}

TEST(Npy, RefusesWhatItCannotHold) {
  EXPECT_NE(messageOf(npyFile(headerFor(">f4", "(1,)"), "abcd")).find("big endian"), std::string::npos);
  EXPECT_NE(messageOf(npyFile(headerFor("<U4", "(1,)"), "abcd")).find("'<U4' is not a supported number"),
            std::string::npos);
  EXPECT_NE(messageOf(npyFile(headerFor("|O", "(1,)"), "abcd")).find("not a supported number"), std::string::npos);
  EXPECT_NE(messageOf(npyFile("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }", "abcd"))
                .find("not a supported number"),
            std::string::npos);
  EXPECT_NE(messageOf(npyFile(headerFor("<f4", "(2,)"), "abcd")).find("needs 8 bytes"), std::string::npos);
  EXPECT_NE(messageOf(npyFile(headerFor("|u1", "(2,)"), "abcd")).find("needs 2 bytes"), std::string::npos);
  EXPECT_NE(messageOf(npyFile(headerFor("<f8", "(4294967296, 4294967296)"), "abcd")).find("too many bytes"),
            std::string::npos);
  EXPECT_NE(messageOf("PK\3\4 a zip file").find("not a .npy file"), std::string::npos);
  EXPECT_NE(messageOf("").find("not a .npy file"), std::string::npos);
}

TEST(Npy, RefusesBrokenHeaders) {
  for (const char* header :
       {"", "{", "}", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} trailing",
        "{'descr': [('a', '<f4'), 'fortran_order': False, 'shape': (1,)}", "{'descr': '<f4, 'fortran_order': False}"})
    EXPECT_NE(messageOf(npyFile(header, "abcd")), "accepted") << header;
}

TEST(Npy, RefusesEveryTruncation) {
  const Array array{*elementNamed("i32"), {3}, std::vector<std::byte>(12)};
  const std::string file = npyBytes(array);
  for (std::size_t size = 0; size < file.size(); ++size) EXPECT_FALSE(parseNpy(file.substr(0, size), "x")) << size;
  EXPECT_FALSE(parseNpy(file + "x", "x"));
}

TEST(Npy, NeverReadsOutsideDamagedFiles) {
  const Array array{*elementNamed("u16"), {4, 2}, std::vector<std::byte>(16)};
  const std::string file = npyBytes(array);
  for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
    std::string damaged = file;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    // Data has no checksum, so some flips are another valid file; what is accepted must still be consistent.
    const auto read = parseNpy(damaged, "x");
    if (read) {
      EXPECT_EQ(read->bytes.size(), *arrayBytes(read->type, read->shape));
    }
  }
}

}  // namespace
}  // namespace lathe::tool
