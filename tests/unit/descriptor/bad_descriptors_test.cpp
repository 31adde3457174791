// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every broken descriptor in tests/bad_input/descriptors gives exactly the diagnostics that its first lines name, in
// order:
//
//   # expect: LINE:COLUMN: message; hint
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "core/descriptor/descriptor.h"

namespace lathe::detail {
namespace {

std::string textOf(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> expectationsOf(const std::string& text) {
  constexpr std::string_view mark = "# expect: ";
  std::vector<std::string> expected;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.starts_with(mark);)
    expected.push_back(line.substr(mark.size()));
  return expected;
}

Result<DescriptorFile> noBase(std::string_view name) {
  return Error{.code = ErrorCode::UnknownTarget, .message = "no target is called '" + std::string(name) + "'"};
}

std::vector<std::filesystem::path> badFiles() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(LATHE_SOURCE_DIR "/tests/bad_input/descriptors")) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

class BadDescriptor : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(BadDescriptor, GivesItsFindings) {
  const std::string text = textOf(GetParam());
  const auto expected = expectationsOf(text);
  ASSERT_FALSE(expected.empty()) << "the file says nothing of what to expect";
  const auto loaded = DescriptorFile::load(text, "bad.yaml", noBase);
  ASSERT_FALSE(loaded);
  const Error& error = loaded.error();
  EXPECT_EQ(error.code, ErrorCode::DescriptorInvalid);
  EXPECT_EQ(error.location, error.diagnostics.front().location);
  std::vector<std::string> found;
  for (const Diagnostic& diagnostic : error.diagnostics) {
    EXPECT_EQ(diagnostic.location.file, "bad.yaml");
    EXPECT_EQ(diagnostic.code, ErrorCode::DescriptorInvalid);
    found.push_back(std::to_string(diagnostic.location.line) + ":" + std::to_string(diagnostic.location.column) + ": " +
                    diagnostic.message + (diagnostic.hint.empty() ? "" : "; " + diagnostic.hint));
  }
  EXPECT_EQ(found, expected);
}

INSTANTIATE_TEST_SUITE_P(Files, BadDescriptor, testing::ValuesIn(badFiles()),
                         [](const auto& instance) { return instance.param.stem().string(); });

TEST(BadDescriptors, AreMany) {
  EXPECT_GE(badFiles().size(), 50U);
}

TEST(BadDescriptors, TooLargeAFile) {
  const auto loaded = DescriptorFile::load("# " + std::string(300'000, 'x'), "large.yaml", noBase);
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("a descriptor has at most"), std::string::npos) << loaded.error().message;
}

TEST(BadDescriptors, TooManyValues) {
  std::string text = "lathe: 1\nexternals: [";
  for (int i = 0; i < 20'000; ++i) text += "x,";
  const auto loaded = DescriptorFile::load(text + "]\n", "many.yaml", noBase);
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("values in one descriptor"), std::string::npos) << loaded.error().message;
}

TEST(BadDescriptors, ShowTheLine) {
  const auto loaded = DescriptorFile::load("lathe: 1\nname: bad\n  \ntripel: x\n", "bad.yaml", noBase);
  ASSERT_FALSE(loaded);
  ASSERT_EQ(loaded.error().diagnostics.size(), 1U);
  EXPECT_EQ(loaded.error().diagnostics.front().snippet, "tripel: x\n^\n");
}

/// A descriptor cut short is whole or an error, never a crash.
TEST(BadDescriptors, TruncatedAnywhere) {
  const std::string text = textOf(LATHE_SOURCE_DIR "/targets/cuda/cuda.yaml");
  ASSERT_FALSE(text.empty());
  ASSERT_TRUE(DescriptorFile::load(text, "cuda.yaml", noBase));
  for (std::size_t size = 0; size < text.size(); size += 7) {
    const auto loaded = DescriptorFile::load(text.substr(0, size), "cuda.yaml", noBase);
    if (!loaded) {
      EXPECT_FALSE(loaded.error().diagnostics.empty()) << "at " << size;
    }
  }
}

}  // namespace
}  // namespace lathe::detail
