// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Real faults inside Clang and LLVM: they become errors, the host lives, and the next compile is right.
#include <csignal>
#include <cstdlib>
#include <thread>

#include "jobs.h"

namespace lathe::test {
namespace {

struct Fault {
  const char* name;
  std::string source;
};

/// Deep enough to overflow any stack that a compile could have; no limit of Clang's on nesting counts operators.
std::string deepExpression() {
  return "int deep(int x) { return " + std::string(500000, '~') + "x; }\n";
}

void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.name;
}

/// Clang's `__debug crash` would leave a timer of the lost stack in a global list and harm later compiles at random;
/// `parser_crash` is the same trap without one.
const Fault faults[] = {
    {"crash", "#pragma clang __debug parser_crash\n"},
    {"fatal_error", "#pragma clang __debug llvm_fatal_error\n"},
    {"stack_overflow", deepExpression()},
};

class Faults : public testing::TestWithParam<Fault> {};
INSTANTIATE_TEST_SUITE_P(Isolation, Faults, testing::ValuesIn(faults),
                         [](const auto& info) { return info.param.name; });

void expectContained(const Compiler& compiler, const Fault& fault, Isolation isolation) {
  const CompileRequest request{.timeStages = false, .dumpAfter = {}, .replaceAt = {}, .isolation = isolation};
  const auto expected = outcome(compiler.compile(kernelJob(goodKernel), request));
  ASSERT_NE(expected.substr(0, 6), "error:") << expected;
  const auto broken = compiler.compile(kernelJob(fault.source + goodKernel), request);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, ErrorCode::CompilerCrash) << broken.error().render();
  EXPECT_FALSE(broken.error().hint.empty());
  EXPECT_EQ(outcome(compiler.compile(kernelJob(goodKernel), request)), expected);
}

TEST_P(Faults, InProcessBecomeErrors) {
  expectContained(makeCompiler(true), GetParam(), Isolation::inProcess);
}

TEST_P(Faults, InWorkerBecomeErrors) {
  expectContained(makeCompiler(), GetParam(), Isolation::worker);
}

TEST(Isolation, FaultsOnSeveralThreadsStayOnTheirThreads) {
  const Compiler compiler = makeCompiler(true);
  const std::string expected = outcome(compiler.compile(kernelJob(goodKernel)));
  std::vector<std::thread> threads;
  std::vector<std::string> good(4);
  std::vector<ErrorCode> bad(4, ErrorCode::InvalidArgument);
  for (std::size_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const auto broken = compiler.compile(kernelJob(faults[i % 3].source + goodKernel));
      if (!broken) bad[i] = broken.error().code;
      good[i] = outcome(compiler.compile(kernelJob(goodKernel)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(bad[i], ErrorCode::CompilerCrash);
    EXPECT_EQ(good[i], expected);
  }
}

/// After eight contained crashes compiles go to a worker; more crashes and good compiles still end as they should.
TEST(Isolation, MovesToWorkerAfterEightCrashes) {
  const Compiler compiler = makeCompiler(true);
  const std::string expected = outcome(compiler.compile(kernelJob(goodKernel)));
  for (int i = 0; i < 12; ++i) {
    const auto broken = compiler.compile(kernelJob(faults[0].source + goodKernel));
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().code, ErrorCode::CompilerCrash) << i << ": " << broken.error().render();
  }
  EXPECT_EQ(outcome(compiler.compile(kernelJob(goodKernel))), expected);
}

/// Without containCrashes no handler is Lathe's, and a crash is the host's.
TEST(IsolationDeathTest, WithoutContainmentSignalsAreTheHosts) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  struct sigaction before = {}, after = {};
  ASSERT_EQ(sigaction(SIGSEGV, nullptr, &before), 0);
  const Compiler compiler = makeCompiler();
  ASSERT_TRUE(compiler.compile(kernelJob(goodKernel)));
  ASSERT_EQ(sigaction(SIGSEGV, nullptr, &after), 0);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
  EXPECT_DEATH((void)compiler.compile(kernelJob(faults[0].source + goodKernel)), "");
}

std::sig_atomic_t volatile seenByHost = 0;

/// With containCrashes, a signal on a thread that is not Lathe's reaches the handler that was there.
TEST(Isolation, HostsOwnHandlerIsStillCalled) {
  struct sigaction mine = {};
  mine.sa_handler = [](int) { seenByHost = 1; };
  ASSERT_EQ(sigaction(SIGTRAP, &mine, nullptr), 0);
  const Compiler compiler = makeCompiler(true);
  ASSERT_TRUE(compiler.compile(kernelJob(goodKernel)));
  std::raise(SIGTRAP);
  EXPECT_EQ(seenByHost, 1);
}

/// A process with one thread may fork itself; with more the program is needed, and its absence is an error.
TEST(Isolation, MissingWorkerIsAnError) {
  CompilerConfig config;
  config.isolation = Isolation::worker;
  config.workerProgram = "/nonexistent/worker";
  const auto compiler = Compiler::create(std::move(config));
  ASSERT_TRUE(compiler) << compiler.error().render();
  std::optional<Result<CompileResult>> result;
  std::thread([&] { result = compiler->compile(kernelJob(goodKernel)); }).join();
  ASSERT_FALSE(*result);
  EXPECT_EQ(result->error().code, ErrorCode::ToolMissing) << result->error().render();
  EXPECT_NE(result->error().render().find("/nonexistent/worker"), std::string::npos) << result->error().render();
}

}  // namespace
}  // namespace lathe::test
