// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles on other threads: their progress, and their end before their time. A compile that is stopped, wherever that
// happens, says so, and spoils none that comes after.
#include <cstdlib>
#include <latch>
#include <random>
#include <thread>

#include <sys/wait.h>

#include "../cache/cache_fixture.h"
#include "jobs.h"

namespace lathe::test {
namespace {

using std::chrono::milliseconds;

/// Half a million classes, which Clang makes after the last declaration.
constexpr const char* endlessTemplates = R"(
template <class T> struct L {}; template <class T> struct R {};
template <class T, int D> struct Tree {
  static constexpr int value = Tree<L<T>, D - 1>::value + Tree<R<T>, D - 1>::value;
};
template <class T> struct Tree<T, 0> { static constexpr int value = 1; };
template <class T> inline int late() { return Tree<T, 18>::value; }
LATHE_KERNEL void wide(int* data) { data[0] = late<char>(); }
)";
constexpr const char* work = R"(
LATHE_KERNEL void scan(float* data, int n) {
  LATHE_SHARED float sums[256];
  const int i = lathe::item_id().x;
  sums[i] = i < n ? data[i] : 0;
  lathe::barrier();
  for (int step = 1; step < 256; step *= 2) {
    const float left = i >= step ? sums[i - step] : 0;
    lathe::barrier();
    sums[i] += left;
    lathe::barrier();
  }
  data[i] = __builtin_sqrtf(sums[i]);
}
)";
const char* const targets[] = {"cpu", "cuda", "amdgpu", "spirv", "opencl-c"};

Job scanJob(const std::string& target = "cpu") {
  return kernelJob(work, target);
}

/// A cache of its own; ctest turns it off for the tests beside these.
class PendingInCache : public CacheTest {
 protected:
  ~PendingInCache() override { ::setenv("LATHE_CACHE", "off", 1); }
};

/// A request whose compile waits at its first step for `release`, after it has let `begun` know.
CompileRequest held(std::latch& begun, std::latch& release) {
  CompileRequest request;
  request.progress = [&, first = true](const CompileProgress&) mutable {
    if (!std::exchange(first, false)) return;
    begun.count_down();
    release.wait();
  };
  return request;
}

void expectCancelled(const Result<CompileResult>& result) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::Cancelled) << result.error().render();
}

TEST(Pending, GivesWhatACompileGives) {
  const Compiler compiler = makeCompiler();
  std::vector<PendingCompile> pending;
  for (const char* target : targets) pending.push_back(compiler.compileAsync(scanJob(target)));
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const auto result = pending[i].get();
    ASSERT_TRUE(result) << result.error().render();
    EXPECT_TRUE(pending[i].isReady());
    EXPECT_EQ(outcome(result), outcome(compiler.compile(scanJob(targets[i])))) << targets[i];
    EXPECT_EQ(pending[i].get().error().code, ErrorCode::InvalidArgument);
  }
  const auto wrong = compiler.compileAsync(kernelJob("LATHE_KERNEL void broken( {")).get();
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::SourceError);
}

TEST(Pending, TellsOfEachStepInOrder) {
  const Compiler compiler = makeCompiler();
  std::vector<std::string> known = {"frontend"};
  for (const StageInfo& stage : Compiler::stages()) known.push_back(stage.name);
  for (const char* target : targets) {
    SCOPED_TRACE(target);
    std::vector<CompileProgress> told;
    CompileRequest request;
    request.progress = [&](const CompileProgress& progress) { told.push_back(progress); };
    auto pending = compiler.compileAsync(scanJob(target), request);
    ASSERT_TRUE(pending.get());
    ASSERT_GT(told.size(), 10U);
    EXPECT_EQ(told.front().step, "frontend");
    EXPECT_EQ(told.front().done, 0U);
    EXPECT_EQ(told.back().step, "image");
    EXPECT_EQ(told.back().done + 1, told.back().steps);
    EXPECT_EQ(pending.progress().step, "image");
    auto at = known.begin();
    for (std::size_t i = 0; i < told.size(); ++i) {
      at = std::find(at, known.end(), told[i].step);
      EXPECT_NE(at, known.end()) << told[i].step;
      EXPECT_EQ(told[i].steps, told.front().steps);
      if (i > 0) {
        EXPECT_GT(told[i].done, told[i - 1].done);
      }
    }
  }
}

TEST(Pending, EndsAtEachStep) {
  const Compiler compiler = makeCompiler();
  for (const char* target : targets) {
    const std::string whole = outcome(compiler.compile(scanJob(target)));
    std::vector<std::string> steps;
    CompileRequest watching;
    watching.progress = [&](const CompileProgress& progress) { steps.push_back(progress.step); };
    ASSERT_TRUE(compiler.compile(scanJob(target), watching));
    for (const std::string& step : steps) {
      SCOPED_TRACE(std::string(target) + ", " + step);
      std::stop_source stop;
      CompileRequest request;
      request.stop = stop.get_token();
      request.progress = [&](const CompileProgress& progress) {
        if (progress.step == step) stop.request_stop();
      };
      const auto result = compiler.compile(scanJob(target), request);
      // Nothing looks after the last step, and a worker may have answered before it is ended.
      const bool mayBeDone = step == steps.back() || std::string_view(target) == "spirv";
      ASSERT_TRUE(mayBeDone || !result);
      if (result) {
        EXPECT_EQ(outcome(result), whole);
        continue;
      }
      EXPECT_EQ(result.error().code, ErrorCode::Cancelled) << result.error().render();
      EXPECT_EQ(result.error().target, target);
    }
    EXPECT_EQ(outcome(compiler.compile(scanJob(target))), whole) << target;
  }
}

TEST(Pending, EndsAtAnyMoment) {
  const Compiler compiler = makeCompiler();
  std::mt19937 random(7);
  for (const char* target : {"cpu", "cuda", "amdgpu"}) {
    const auto began = std::chrono::steady_clock::now();
    const std::string whole = outcome(compiler.compile(scanJob(target)));
    const auto took = std::chrono::steady_clock::now() - began;
    for (int i = 0; i < 25; ++i) {
      auto pending = compiler.compileAsync(scanJob(target));
      std::this_thread::sleep_for(took * std::uniform_real_distribution(0.0, 1.1)(random));
      pending.cancel();
      const auto result = pending.get();
      EXPECT_TRUE(result || result.error().code == ErrorCode::Cancelled) << result.error().render();
      if (result) {
        EXPECT_EQ(outcome(result), whole);
      }
    }
    EXPECT_EQ(outcome(compiler.compile(scanJob(target))), whole) << target;
  }
}

TEST(Pending, EndsInTemplates) {
  std::latch begun(1), release(0);
  const Compiler compiler = makeCompiler();
  auto long_ = compiler.compileAsync(kernelJob(endlessTemplates), held(begun, release));
  begun.wait();
  std::this_thread::sleep_for(milliseconds(200));
  long_.cancel();
  const auto result = long_.get();
  expectCancelled(result);
  EXPECT_EQ(result.error().stage, "frontend");
}

TEST(Pending, EndsAWorker) {
  for (const bool inWorker : {true, false}) {
    std::stop_source stop;
    CompileRequest request;
    request.isolation = Isolation::worker;
    request.stop = stop.get_token();
    request.progress = [&](const CompileProgress&) { stop.request_stop(); };  // the front end has begun
    const auto compile = [&] { return makeCompiler().compile(kernelJob(std::string(endless) + goodKernel), request); };
    std::optional<Result<CompileResult>> result;
    if (inWorker)
      std::thread([&] { result = compile(); }).join();
    else
      result = compile();
    expectCancelled(*result);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // no child is left, dead or alive
    EXPECT_EQ(errno, ECHILD);
  }
}

TEST(Pending, EndsWithItsCompiler) {
  std::latch begun(1), release(1);
  std::optional<PendingCompile> pending;
  std::jthread later;
  {
    const Compiler compiler = makeCompiler();
    pending.emplace(compiler.compileAsync(scanJob(), held(begun, release)));
    begun.wait();
    later = std::jthread([&] {
      std::this_thread::sleep_for(milliseconds(50));
      release.count_down();
    });
  }  // which asks for the end, and waits for it
  EXPECT_TRUE(pending->isReady());
  expectCancelled(pending->get());
}

/// All threads are taken: it ends all the same.
TEST(Pending, EndsWhileItWaitsForItsTurn) {
  const unsigned threads = std::max(std::thread::hardware_concurrency(), 1U);
  std::latch begun(threads), release(1);
  const Compiler compiler = makeCompiler();
  std::vector<PendingCompile> running;
  for (unsigned i = 0; i < threads; ++i) running.push_back(compiler.compileAsync(scanJob(), held(begun, release)));
  begun.wait();
  auto waiting = compiler.compileAsync(scanJob());
  std::stop_source stop;
  CompileRequest request;
  request.stop = stop.get_token();
  auto other = compiler.compileAsync(scanJob(), request);
  EXPECT_FALSE(waiting.isReady());
  waiting.cancel();
  expectCancelled(waiting.get());
  stop.request_stop();
  EXPECT_TRUE(other.isReady());
  expectCancelled(other.get());
  release.count_down();
  for (PendingCompile& one : running) EXPECT_TRUE(one.get());
}

TEST(Pending, StopsBeforeItBegins) {
  std::stop_source stop;
  stop.request_stop();
  CompileRequest request;
  request.stop = stop.get_token();
  request.progress = [](const CompileProgress& progress) { ADD_FAILURE() << progress.step; };
  const Compiler compiler = makeCompiler();
  expectCancelled(compiler.compile(scanJob(), request));
  expectCancelled(compiler.compileAsync(scanJob(), request).get());
}

TEST(Pending, IsGoneWhenItIsDestroyed) {
  const Compiler compiler = makeCompiler();
  std::atomic<int> steps = 0;
  CompileRequest request;
  request.progress = [&](const CompileProgress&) { ++steps; };
  for (int i = 0; i < 50; ++i) (void)compiler.compileAsync(scanJob("cuda"), request);
  const int before = steps;
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(steps, before) << "a compile that nobody has goes on";
}

TEST_F(PendingInCache, DoesNotWaitForAnother) {
  if (std::thread::hardware_concurrency() == 1) GTEST_SKIP() << "compiles wait for the one processor";
  for (const bool sameCompiler : {true, false}) {
    SCOPED_TRACE(sameCompiler);
    const Compiler first = make(), other = make();
    const Compiler& second = sameCompiler ? first : other;
    Job job = scanJob(sameCompiler ? "cpu" : "cuda");
    std::latch begun(1), release(1);
    auto leader = first.compileAsync(job, held(begun, release));
    begun.wait();
    auto follower = second.compileAsync(job);
    EXPECT_FALSE(follower.waitFor(milliseconds(50)));
    follower.cancel();
    expectCancelled(follower.get());  // while the first still compiles
    release.count_down();
    EXPECT_TRUE(leader.get());
    const auto again = make().compile(job);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->origin, CacheOrigin::disk);
  }
}

TEST_F(PendingInCache, DoesWhatAnotherLeft) {
  const Compiler compiler = make();
  std::latch begun(1), release(1);
  auto leader = compiler.compileAsync(scanJob(), held(begun, release));
  begun.wait();
  auto follower = compiler.compileAsync(scanJob());
  EXPECT_FALSE(follower.waitFor(milliseconds(50)));
  leader.cancel();
  release.count_down();
  expectCancelled(leader.get());
  const auto result = follower.get();
  ASSERT_TRUE(result) << result.error().render();
  EXPECT_EQ(result->origin, CacheOrigin::compiled);
}

}  // namespace
}  // namespace lathe::test
