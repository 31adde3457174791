// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The suite under GoogleTest: one test a case and target, for every target with a runtime. What cannot run here, or
// what the target's descriptor declares absent, is skipped with the reason. On targets that have checked mode each case
// also runs in it: it must neither find something in a right kernel nor change what the kernel computes.
#include <algorithm>
#include <array>
#include <iterator>
#include <regex>

#include <gtest/gtest.h>

#include "tests/conformance/suite/suite.h"

namespace lathe::conformance {
namespace {

/// What checked mode rightly finds: kernels that Lathe gives a meaning which CUDA does not.
struct KnownFinding {
  std::string_view name;     ///< of the case
  std::string_view finding;  ///< in the report
};
constexpr std::string_view missedBarrier = "barrier that not all items reach";
constexpr KnownFinding knownFindings[] = {
    // Many items set one flag between two barriers, all to the same value.
    {"programs_graphs_shortest_paths", "race in shared memory: write of 1 bytes at byte 0 of 'changed'"},
    // Without barriers, by what the items of a subgroup do in step.
    {"cuda_volatile_steps_end_of_a_tree", "race in shared memory"},
    {"cuda_volatile_steps_padded_scan", "race in shared memory"},
    {"cuda_volatile_steps_exchange", "race in shared memory"},
    // Items of a subgroup come to a barrier at different calls, as hardware of one kind only allows.
    {"cuda_barriers_apart_twoBranches", missedBarrier},
    {"cuda_barriers_apart_callsInTurn", missedBarrier},
    // Items return, and the others go on to barriers.
    {"cuda_group_flow_someReturnFirst", missedBarrier},
    {"cuda_group_flow_firstReturn", missedBarrier},
    {"cuda_group_flow_returnOneByOne", missedBarrier},
    {"cuda_subgroup_flow_warpsReturn", missedBarrier},
    {"cuda_subgroup_flow_lanesReturnThenBarrier", missedBarrier},
};

class CheckedTest : public testing::Test {
 public:
  CheckedTest(const Compiler& compiler, const TargetInfo& target, const Case& entry)
      : compiler_(compiler), target_(target), entry_(entry) {}

  void TestBody() override {
    // `lathe conformance --checked` does it without optimisation too.
    constexpr std::array level = {OptLevel::O3};
    const TargetRun run = runAll(compiler_, target_, std::span(&entry_, 1), {.checked = true, .levels = level});
    if (!run.results[0]) GTEST_SKIP() << run.reason;
    const CaseResult& result = *run.results[0];
    if (result.outcome == Outcome::absent) GTEST_SKIP() << "absent by descriptor: " << result.detail;
    const auto known = std::ranges::find(knownFindings, entry_.fullName(), &KnownFinding::name);
    if (known == std::end(knownFindings)) {
      EXPECT_EQ(result.outcome, Outcome::passed) << result.detail;
    } else {
      EXPECT_NE(result.detail.find(known->finding), std::string::npos) << result.detail;
    }
  }

 private:
  const Compiler& compiler_;
  const TargetInfo& target_;
  const Case& entry_;
};

bool hasCheckedMode(const Compiler& compiler, const TargetInfo& target) {
  Job job;
  job.source.text = "#include <lathe/device.h>\nLATHE_KERNEL void k(int* out) { *out = 1; }";
  job.target = target.name;
  job.options.checked = true;
  return compiler.compile(job).hasValue();
}

class CaseTest : public testing::Test {
 public:
  CaseTest(const Compiler& compiler, const TargetInfo& target, const Case& entry)
      : compiler_(compiler), target_(target), entry_(entry) {}

  void TestBody() override {
    const TargetRun run = runAll(compiler_, target_, std::span(&entry_, 1));
    if (!run.results[0]) GTEST_SKIP() << run.reason;
    const CaseResult& result = *run.results[0];
    if (result.outcome == Outcome::absent) GTEST_SKIP() << "absent by descriptor: " << result.detail;
    if (result.outcome == Outcome::gap) GTEST_SKIP() << "the emulated device gets it wrong: " << result.detail;
    EXPECT_EQ(result.outcome, Outcome::passed) << result.detail;
  }

 private:
  const Compiler& compiler_;
  const TargetInfo& target_;
  const Case& entry_;
};

/// A broken line of the table would hide failures, or none.
TEST(EmulatorGaps, NameAnInstructionOrAFeatureAndWhy) {
  const std::vector<EmulatorGap> gaps = emulatorGaps();
  EXPECT_FALSE(gaps.empty());
  for (const EmulatorGap& gap : gaps) {
    EXPECT_FALSE(gap.reason.empty()) << gap.instruction;
    const std::regex arch(gap.arch), instruction(gap.instructions().first);
    EXPECT_NO_THROW(std::regex(gap.instructions().second));
    constexpr const char* emulated[] = {"gfx1100", "gfx1201", "gfx90a", "gfx942"};
    EXPECT_TRUE(std::ranges::any_of(emulated, [&](const char* name) { return std::regex_match(name, arch); }))
        << gap.arch;
    for (const char* const common : {"", "s_endpgm", "v_add_nc_u32_e32 v0, v1, v2", "global_store_b32 v0, v1, s[0:1]",
                                     "v_add_co_u32 v5, s2, s1, v5", "ds_load_b32 v0, v1"})
      EXPECT_FALSE(std::regex_search(common, instruction)) << gap.instruction;
  }
  const auto means = [&](const std::string& line) {
    return std::ranges::count_if(gaps, [&](const EmulatorGap& gap) {
      return gap.feature().empty() && std::regex_search(line, std::regex(gap.instructions().first));
    });
  };
  EXPECT_EQ(means("v_add_co_u32 v5, s1, s1, v5"), 1);
  EXPECT_EQ(means("ds_bpermute_b32 v4, v2, v4"), 3);
  EXPECT_EQ(means("ds_bpermute_b32 v0, v0, v1"), 2);
  EXPECT_EQ(means("v_div_fixup_f64 v[0:1], v[0:1], v[2:3], v[4:5]"), 1);
}

TEST(DeviceGaps, NameACaseOfTheSuiteAndWhy) {
  const std::vector<Case> cases = allCases();
  for (const DeviceGap& gap : deviceGaps()) {
    EXPECT_TRUE(std::ranges::any_of(cases, [&](const Case& entry) { return entry.fullName() == gap.name; }))
        << gap.name;
    EXPECT_FALSE(gap.reason.empty()) << gap.name;
    constexpr const char* drivers[] = {"2026.22.10.0.01_160000", "3.0-rc2"};  // Intel's and PoCL's, of the tests
    EXPECT_TRUE(std::ranges::any_of(drivers, [&](const char* version) {
      return std::regex_match(version, std::regex(gap.driver));
    })) << gap.driver;
    constexpr const char* withGaps[] = {"spirv", "opencl-c"};
    EXPECT_TRUE(std::ranges::any_of(withGaps, [&](const char* name) {
      return std::regex_match(name, std::regex(gap.target));
    })) << gap.target;
  }
}

}  // namespace
}  // namespace lathe::conformance

int main(int argc, char** argv) {
  using namespace lathe::conformance;
  testing::InitGoogleTest(&argc, argv);
  const auto compiler = lathe::Compiler::create();
  if (!compiler) {
    std::fputs(compiler.error().render().c_str(), stderr);
    return 1;
  }
  const std::vector<Case> cases = allCases();
  const std::vector<lathe::TargetInfo> targets = executingTargets(*compiler);
  for (const lathe::TargetInfo& target : targets)
    for (const Case& entry : cases)
      testing::RegisterTest("Conformance", (target.name + "_" + entry.fullName()).c_str(), nullptr, nullptr, __FILE__,
                            __LINE__, [&]() -> testing::Test* { return new CaseTest(*compiler, target, entry); });
  for (const lathe::TargetInfo& target : targets) {
    if (!hasCheckedMode(*compiler, target)) continue;
    for (const Case& entry : cases)
      testing::RegisterTest("Checked", (target.name + "_" + entry.fullName()).c_str(), nullptr, nullptr, __FILE__,
                            __LINE__, [&]() -> testing::Test* { return new CheckedTest(*compiler, target, entry); });
  }
  return RUN_ALL_TESTS();
}
