// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker that takes too long is ended, whichever way it was started, and leaves no process behind.
#include <thread>

#include <sys/wait.h>

#include "jobs.h"

namespace lathe::test {
namespace {

Result<CompileResult> compileWithin(std::chrono::milliseconds limit, const std::string& body) {
  CompileRequest request;
  request.isolation = Isolation::worker;
  request.timeLimit = limit;
  return makeCompiler().compile(kernelJob(body + goodKernel), request);
}

void expectEnded(const Result<CompileResult>& result) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::LimitExceeded) << result.error().render();
  EXPECT_NE(result.error().message.find("longer than 0.5 s"), std::string::npos) << result.error().message;
  EXPECT_FALSE(result.error().hint.empty());
  EXPECT_EQ(result.error().target, "cpu");
  // No child is left, dead or alive.
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(TimeLimit, EndsAForkedWorker) {
  expectEnded(compileWithin(std::chrono::milliseconds(500), endless));
}

TEST(TimeLimit, EndsAWorkerThatWasStarted) {
  std::optional<Result<CompileResult>> result;
  std::thread([&] { result = compileWithin(std::chrono::milliseconds(500), endless); }).join();
  expectEnded(*result);
}

TEST(TimeLimit, LeavesOthersAlone) {
  EXPECT_TRUE(compileWithin(std::chrono::minutes(5), ""));
  EXPECT_TRUE(compileWithin(std::chrono::milliseconds(0), ""));
}

}  // namespace
}  // namespace lathe::test
