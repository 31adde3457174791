// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors as text, near names, bytes, files.
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include <lathe/result.h>
#include "core/support/bytes.h"
#include "core/support/checksum.h"
#include "core/support/file.h"
#include "core/support/nearest.h"

namespace lathe {
namespace {

namespace fs = std::filesystem;

constexpr ErrorCode allCodes[] = {
#define LATHE_ERROR(enumerator, value, name, family, meaning) ErrorCode::enumerator,
#include <lathe/error_codes.def>
};

TEST(Result, EveryCodeHasItsOwnNameAndAMeaning) {
  std::set<std::string_view> names;
  for (const ErrorCode code : allCodes) {
    EXPECT_TRUE(names.insert(errorName(code)).second) << errorName(code);
    EXPECT_FALSE(errorMeaning(code).empty());
    const int hundreds = static_cast<int>(code) / 100;
    EXPECT_EQ(static_cast<int>(errorFamily(code)), hundreds - 1) << errorName(code);
  }
  EXPECT_EQ(errorName(ErrorCode::UnknownKernel), "unknown-kernel");
  EXPECT_EQ(errorName(static_cast<ErrorCode>(9999)), "internal");
}

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> good = 3;
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 3);
  const Result<int> bad = Error{.code = ErrorCode::FileInvalid, .message = "x"};
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::FileInvalid);
  Result<void> nothing;
  EXPECT_TRUE(nothing);
  nothing = Error{.code = ErrorCode::Internal, .message = "y"};
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().message, "y");
}

TEST(Result, RendersAsCompilersDo) {
  Diagnostic warning{.severity = Severity::warning,
                     .message = "unused variable 'x'",
                     .location = {"k.cpp", 3, 7},
                     .snippet = "  int x;\n      ^\n"};
  warning.notes.push_back({.message = "included here", .location = {"k.h", 9, 0}, .snippet = {}});
  warning.hint = "remove it";
  EXPECT_EQ(
      render(warning),
      "k.cpp:3:7: warning: unused variable 'x'\n  int x;\n      ^\nk.h:9: note: included here\nhint: remove it\n");
  // With diagnostics, they are the report; without, the error is.
  Error error{.code = ErrorCode::SourceError, .message = "1 error"};
  error.notes.push_back({.message = "while testing"});
  error.hint = "look above";
  EXPECT_EQ(error.render(), "error: 1 error\nnote: while testing\nhint: look above\n");
  error.diagnostics = {warning, warning};
  EXPECT_EQ(error.render(), render(warning) + render(warning));
}

TEST(Nearest, FindsMisspellingsAndNothingElse) {
  const std::vector<std::string> names = {"saxpy", "stencil", "reduce", "sm_90", "sm_90a", "sm_100"};
  EXPECT_EQ(detail::nearest("saxpi", names, 3), std::vector<std::string>{"saxpy"});
  EXPECT_EQ(detail::nearest("sxapy", names, 3), std::vector<std::string>{"saxpy"});
  EXPECT_EQ(detail::nearest("SM_90", names, 2), (std::vector<std::string>{"sm_90", "sm_90a"}));
  EXPECT_EQ(detail::nearest("sm_90", names, 1), std::vector<std::string>{"sm_90"});
  EXPECT_TRUE(detail::nearest("mandelbrot", names, 3).empty());
  EXPECT_TRUE(detail::nearest("", names, 3).empty());
  EXPECT_TRUE(detail::nearest("x", {"y"}, 3).empty());
  EXPECT_EQ(detail::didYouMean("recude", names), "; did you mean 'reduce'?");
  EXPECT_EQ(detail::didYouMean("zzz", names), "");
}

/// The optimal string alignment distance in half edits, as its definition has it.
std::size_t plainDistance(const std::string& a, const std::string& b) {
  const auto lower = [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); };
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      d[i][j] = i == 0 || j == 0 ? 2 * (i + j) : SIZE_MAX;
      if (i == 0 || j == 0) continue;
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : lower(a[i - 1]) == lower(b[j - 1]) ? 1 : 2;
      d[i][j] = std::min({d[i - 1][j] + 2, d[i][j - 1] + 2, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 2);
    }
  }
  return d[a.size()][b.size()];
}

/// Long lists are searched without the whole distance of each name.
TEST(Nearest, ShortcutsChangeNothing) {
  std::mt19937 random(1);
  const auto name = [&] {
    std::string out(1 + random() % 9, ' ');
    for (char& c : out) c = "abcABC_"[random() % 7];
    return out;
  };
  for (int round = 0; round < 2000; ++round) {
    const std::string wanted = name();
    const std::vector<std::string> names = {name(), name(), name()};
    const std::size_t limit = 2 * std::max<std::size_t>(1, (wanted.size() + 2) / 3);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& one : names) {
      const std::size_t away = plainDistance(wanted, one);
      if (away <= limit && away < 2 * std::max(wanted.size(), one.size())) near.emplace_back(away, one);
    }
    std::ranges::sort(near);
    near.erase(std::unique(near.begin(), near.end()), near.end());
    std::vector<std::string> expected;
    for (const auto& [away, one] : near) expected.push_back(one);
    EXPECT_EQ(detail::nearest(wanted, names, 3), expected) << wanted;
  }
  EXPECT_TRUE(detail::nearest(std::string(5000, 'x'), {std::string(5001, 'x')}, 1).empty());
}

TEST(Bytes, ReadBackWhatWasWrittenAndStopAtTheEnd) {
  detail::ByteWriter out;
  out.number(std::uint8_t{7});
  out.number(std::int64_t{-2});
  out.text("abc");
  out.alignTo(32);
  EXPECT_EQ(out.size(), 32u);
  out.numberAt(0, std::uint8_t{9});
  const std::string bytes = out.take();
  detail::ByteReader in(std::as_bytes(std::span(bytes)));
  EXPECT_EQ(in.number<std::uint8_t>(), 9);
  EXPECT_EQ(in.number<std::int64_t>(), -2);
  EXPECT_EQ(in.text(), "abc");
  EXPECT_FALSE(in.failed());
  EXPECT_FALSE(in.atEnd());
  for (int i = 0; i < 3; ++i) (void)in.number<std::uint64_t>();
  EXPECT_TRUE(in.failed());
  EXPECT_EQ(in.number<std::uint8_t>(), 0);  // failed once, failed for good
}

TEST(Bytes, RefusesCountsTheRestCannotHold) {
  detail::ByteWriter out;
  out.number(std::uint32_t{1000});
  out.number(std::uint64_t{0});
  const std::string bytes = out.take();
  detail::ByteReader in(std::as_bytes(std::span(bytes)));
  EXPECT_EQ(in.count(4), 0u);
  EXPECT_TRUE(in.failed());
  EXPECT_FALSE(detail::sliceOf(std::as_bytes(std::span(bytes)), 4, ~std::uint64_t{0}));
  EXPECT_FALSE(detail::sliceOf(std::as_bytes(std::span(bytes)), 13, 0));
}

TEST(Checksum, IsTheOneEverybodyKnows) {
  EXPECT_EQ(detail::checksum(std::as_bytes(std::span("123456789", 9))), 0xcbf43926u);  // the catalogue's check value
  EXPECT_EQ(
      detail::checksum(std::as_bytes(std::span("6789", 4)), detail::checksum(std::as_bytes(std::span("12345", 5)))),
      0xcbf43926u);
}

class File : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "lathe-file-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::size_t filesLeft() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }
  fs::path folder_;
};

TEST_F(File, WritesAndReadsAnyBytes) {
  const std::string bytes("a\0b\n\xff", 5);
  const fs::path path = folder_ / "f";
  ASSERT_TRUE(detail::writeFile(path, "old and longer than the new content"));
  ASSERT_TRUE(detail::writeFile(path, bytes));
  EXPECT_EQ(*detail::readFile(path), bytes);
  auto mapped = detail::MappedFile::open(path);
  ASSERT_TRUE(mapped);
  EXPECT_EQ(mapped->bytes().size(), bytes.size());
  ASSERT_TRUE(detail::writeFile(path, "new"));
  EXPECT_EQ(mapped->bytes()[4], std::byte{0xff});  // the old file, whole
  EXPECT_EQ(filesLeft(), 1u);
}

TEST_F(File, FollowsTheUmask) {
  const mode_t before = ::umask(027);
  ASSERT_TRUE(detail::writeFile(folder_ / "f", "x"));
  ::umask(before);
  struct stat facts{};
  ASSERT_EQ(::stat((folder_ / "f").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0640u);
}

TEST_F(File, LeavesNothingBehindWhenItFails) {
  fs::create_directory(folder_ / "taken");
  std::ofstream(folder_ / "taken" / "inside") << "x";
  const auto done = detail::writeFile(folder_ / "taken", "bytes");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::FileUnwritable);
  EXPECT_EQ(detail::writeFile(folder_ / "no" / "such" / "folder", "x").error().code, ErrorCode::FileUnwritable);
  EXPECT_EQ(filesLeft(), 1u);
}

TEST_F(File, SaysWhyItCannotRead) {
  const auto missing = detail::readFile(folder_ / "missing");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::FileUnreadable);
  EXPECT_NE(missing.error().message.find("No such file"), std::string::npos);
  EXPECT_EQ(detail::readFile(folder_).error().code, ErrorCode::FileUnreadable);
  EXPECT_EQ(detail::MappedFile::open(folder_).error().code, ErrorCode::FileUnreadable);
}

TEST(FileSpecial, WritesToDevicesWithoutReplacingThem) {
  ASSERT_TRUE(detail::writeFile("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_FALSE(detail::readFile("/proc/self/status")->empty());  // says its size is 0
}

}  // namespace
}  // namespace lathe
