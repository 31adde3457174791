// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The suite under GoogleTest: one test a case and target, for every target with a runtime. What cannot run here, or
// what the target's descriptor declares absent, is skipped with the reason.
#include <gtest/gtest.h>

#include "tests/conformance/suite/suite.h"

namespace lathe::conformance {
namespace {

class CaseTest : public testing::Test {
 public:
  CaseTest(const Compiler& compiler, const TargetInfo& target, const Case& entry)
      : compiler_(compiler), target_(target), entry_(entry) {}

  void TestBody() override {
    const auto runner = Runner::open(compiler_, target_);
    if (!runner) GTEST_SKIP() << runner.error().message;
    const CaseResult result = runner->run(entry_, levels);
    if (result.outcome == Outcome::absent) GTEST_SKIP() << "absent by descriptor: " << result.detail;
    EXPECT_EQ(result.outcome, Outcome::passed) << result.detail;
  }

 private:
  const Compiler& compiler_;
  const TargetInfo& target_;
  const Case& entry_;
};

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
  std::vector<lathe::TargetInfo> targets;
  for (lathe::TargetInfo& target : compiler->targets())
    if (executes(target)) targets.push_back(std::move(target));
  for (const lathe::TargetInfo& target : targets)
    for (const Case& entry : cases)
      testing::RegisterTest("Conformance", (target.name + "_" + entry.fullName()).c_str(), nullptr, nullptr, __FILE__,
                            __LINE__, [&]() -> testing::Test* { return new CaseTest(*compiler, target, entry); });
  return RUN_ALL_TESTS();
}
