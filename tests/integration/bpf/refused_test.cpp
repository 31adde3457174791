// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that the verifier refuses, each with what is to be said of it: tests/bad_input/refused_programs/NAME.bpf.cpp
// ends with lines
// `// wanted: TEXT`, each of which the report contains. The report of LATHE_BLESS=1 goes to standard output, to be
// looked at and copied from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <lathe/bpf_host.h>
#include <lathe/compiler.h>

namespace {

namespace fs = std::filesystem;

std::vector<std::string> programs() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(LATHE_REFUSED)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".bpf.cpp")) out.push_back(name.substr(0, name.find('.')));
  }
  std::ranges::sort(out);
  return out;
}

class BpfRefused : public testing::TestWithParam<std::string> {};

TEST_P(BpfRefused, IsExplained) {
  const std::string name = GetParam() + ".bpf.cpp";
  std::ifstream file(fs::path(LATHE_REFUSED) / name);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  auto compiler = lathe::Compiler::create();
  ASSERT_TRUE(compiler) << compiler.error().render();
  lathe::Job job;
  job.target = "bpf";
  job.source = {.name = name, .text = text, .dialect = ""};
  const auto compiled = compiler->compile(job);
  ASSERT_TRUE(compiled) << compiled.error().render();
  auto object = lathe::bpf::Object::open(compiled->image);
  if (!object && object.error().code == lathe::ErrorCode::DriverMissing) GTEST_SKIP() << object.error().message;
  ASSERT_TRUE(object) << object.error().render();
  const auto loaded = object->load();
  ASSERT_FALSE(loaded) << "this kernel takes it";
  if (loaded.error().code == lathe::ErrorCode::PermissionDenied) GTEST_SKIP() << loaded.error().message;
  const std::string report = loaded.error().render();
  if (std::getenv("LATHE_BLESS")) std::fputs(report.c_str(), stdout);
  EXPECT_EQ(loaded.error().code, lathe::ErrorCode::ProgramRefused) << report;
  EXPECT_EQ(report.find("/lathe/include"), std::string::npos) << "a line of Lathe's own headers\n" << report;
  constexpr std::string_view mark = "// wanted: ";
  int wanted = 0;
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1), ++wanted) {
    const std::size_t from = at + mark.size();
    const std::string line = text.substr(from, text.find('\n', from) - from);
    EXPECT_NE(report.find(line), std::string::npos) << "not said: " << line << "\n" << report;
  }
  EXPECT_GT(wanted, 1) << report;
}

INSTANTIATE_TEST_SUITE_P(Programs, BpfRefused, testing::ValuesIn(programs()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

}  // namespace
