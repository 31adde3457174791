// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The suite on a target that nothing here runs: every kernel of it as SPIR-V, at each version and with and without
// optimisation, is a module that spirv-val accepts, or refused for a device function that SPIR-V for OpenCL lacks. The
// kernels of a file are one module; where that is refused, each is one.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/conformance/suite/suite.h"

namespace lathe::conformance {
namespace {

using Group = std::vector<const Case*>;

/// Cases of one file and one set of parameters, each kernel once.
std::vector<Group> groups(const std::vector<Case>& cases) {
  std::map<std::pair<std::string, std::map<std::string, std::string>>, std::map<std::string, const Case*>> found;
  for (const Case& one : cases) found[{one.file, one.parameters}].try_emplace(one.kernel, &one);
  std::vector<Group> out;
  for (const auto& [file, kernels] : found) {
    Group& group = out.emplace_back();
    for (const auto& [name, one] : kernels) group.push_back(one);
  }
  return out;
}

/// What is wrong with a module; empty: nothing.
std::string validate(const Image& image, const std::string& version) {
  std::string path = (std::filesystem::temp_directory_path() / "lathe-spirv-XXXXXX").string();
  const int file = ::mkstemp(path.data());
  if (file < 0) return "no temporary file";
  (void)::close(file);
  const Code& code = image.code().front();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(code.bytes.data()), static_cast<std::streamsize>(code.bytes.size()));
  std::string out;
  if (FILE* const tool = ::popen(("spirv-val --target-env spv" + version + " '" + path + "' 2>&1").c_str(), "r")) {
    std::array<char, 4096> part{};
    while (const std::size_t got = std::fread(part.data(), 1, part.size(), tool)) out.append(part.data(), got);
    if (::pclose(tool) != 0 && out.empty()) out = "spirv-val failed";
  }
  std::filesystem::remove(path);
  return out;
}

/// Whether the validator takes a module that reads the clock for one of a shader: before cl_khr_kernel_clock (2024) the
/// capability was theirs alone, whose control flow is structured and whose built-ins are constants.
bool isTakenForShader(const Image& image, std::string_view finding) {
  const auto bytes = image.code().front().bytes;
  const std::string_view module(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool isOfShaders = finding.find("structured") != std::string_view::npos ||
                           finding.find("Back-edges") != std::string_view::npos ||
                           finding.find("BuiltIn decoration") != std::string_view::npos;
  return isOfShaders && module.find("SPV_KHR_shader_clock") != std::string_view::npos;
}

/// Takes the kernels out of `group` that a refusal of it names; returns how many.
std::size_t takeNamed(Group& group, const Error& error) {
  return std::erase_if(group, [&](const Case* one) {
    const auto names = [&](const Note& note) {
      return note.message.starts_with("in kernel '") && note.message.find(one->kernel + "(") != std::string::npos;
    };
    return std::ranges::any_of(error.diagnostics,
                               [&](const Diagnostic& finding) { return std::ranges::any_of(finding.notes, names); });
  });
}

/// Whether all that a compile refuses is what SPIR-V lacks.
bool isExpected(const Error& error, bool hasSubgroups) {
  for (const Diagnostic& finding : error.diagnostics) {
    // The first by an extension only, which the target does not ask for; the others not at all.
    if (finding.message.ends_with("calls itself, directly or not")) continue;
    if (finding.message.starts_with("bfloat16 on spirv") || finding.message.starts_with("128-bit integers on spirv"))
      continue;
    const std::string name = finding.message.substr(0, finding.message.find(' '));
    const auto entry = std::ranges::find(abiEntries(), name, &AbiName::name);
    if (entry == abiEntries().end() || finding.message.find("does not exist on") == std::string::npos) return false;
    const bool subgroup = entry->group == "subgroup" || entry->group == "matrix" || name == "subgroup_barrier";
    constexpr std::array lacks = {"assert_fail", "trap",   "grid_barrier",  "allocate",         "release",
                                  "item_yield",  "launch", "launch_stream", "launch_stream_end"};
    const bool lacking = std::ranges::find(lacks, name) != lacks.end() || name.ends_with("_i128");
    if (!lacking && (hasSubgroups || !subgroup)) return false;
  }
  return !error.diagnostics.empty();
}

class SpirvVal : public testing::TestWithParam<const char*> {
 protected:
  /// The refusal; nothing: a module came of it.
  std::optional<Error> check(const Compiler& compiler, const Group& group, OptLevel level) {
    const std::string version = GetParam();
    Job job;
    job.source = {.name = group.front()->file, .text = std::string(sourceOf(group.front()->file)), .dialect = ""};
    job.target = "spirv";
    job.arch = "spv" + version;
    job.options.optLevel = level;
    job.options.debugInfo = version == "1.4";  // lines are Lathe's own, behind LLVM's back end
    job.options.parameters = group.front()->parameters;
    for (const Case* one : group) job.entries.push_back(one->kernel);
    const auto result = compiler.compile(job);
    if (!result) return result.error();
    const std::string finding = validate(result->image, version);
    const bool isKnown = isTakenForShader(result->image, finding);
    EXPECT_TRUE(isKnown || finding.empty())
        << finding << group.front()->fullName() << " at -O" << static_cast<int>(level);
    return std::nullopt;
  }

  /// Only what SPIR-V lacks is refused.
  void expectLack(const Error& error, const std::string& where) {
    EXPECT_TRUE(isExpected(error, std::string_view(GetParam()) != "1.2")) << where << "\n" << error.render();
  }

  /// Counts the kernels of a group: those that the refusals of it name, and the rest, at last one by one.
  void sort(const Compiler& compiler, Group group, OptLevel level, std::size_t& valid, std::size_t& refused) {
    const std::string file = group.front()->file;
    while (!group.empty()) {
      const auto error = check(compiler, group, level);
      if (!error) {
        valid += group.size();
        return;
      }
      const std::size_t named = takeNamed(group, *error);
      if (named > 0) {
        expectLack(*error, file);
        refused += named;
        continue;
      }
      for (const Case* one : group) {
        const auto alone = check(compiler, {one}, level);
        if (alone) expectLack(*alone, one->fullName());
        ++(alone ? refused : valid);
      }
      return;
    }
  }
};

TEST_P(SpirvVal, EveryKernel) {
  if (std::system("spirv-val --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "spirv-val is not installed";
  const auto compiler = Compiler::create();
  ASSERT_TRUE(compiler) << compiler.error().render();
  const std::vector<Case> cases = allCases();
  std::size_t valid = 0, refused = 0;
  for (const Group& group : groups(cases)) {
    for (const OptLevel level : levels) {
      // One more time without what is refused, which takes long: only as users compile.
      if (level == levels[std::size(levels) - 1])
        sort(*compiler, group, level, valid, refused);
      else if (!check(*compiler, group, level))
        valid += group.size();
    }
  }
  std::printf("%zu kernels valid, %zu refused\n", valid, refused);
  EXPECT_GT(valid, 4 * refused);
}

INSTANTIATE_TEST_SUITE_P(Versions, SpirvVal, testing::Values("1.2", "1.4", "1.6"),
                         [](const auto& version) { return std::string("v1_") + version.param[2]; });

}  // namespace
}  // namespace lathe::conformance
