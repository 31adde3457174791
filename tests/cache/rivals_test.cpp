// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many threads and processes on one cache, some of which are killed.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>
#include <thread>

#include "cache_fixture.h"
#include "jobs.h"

namespace lathe::test {
namespace {

class CacheRivals : public CacheTest {
 protected:
  CacheRivals() {
    write(header("factor.h"), "#define FACTOR 2\n");
    write(root_ / "twice.cpp", job().source.text);
  }

  [[nodiscard]] Job numbered(int number) const {
    Job out = job("null");
    out.options.defines = {"NUMBER=" + std::to_string(number)};
    return out;
  }

  /// Starts the tool on `numbered(from)` to `numbered(to - 1)`, one after the other.
  [[nodiscard]] pid_t start(int from, int to) const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::setpgid(0, 0);
    const std::string script = "cd '" + root_.string() + "' && for i in $(seq " + std::to_string(from) + " " +
                               std::to_string(to - 1) +
                               "); do '" LATHE_TEST_WORKER "' compile twice.cpp -t null -D NUMBER=$i -I '" +
                               (root_ / "include").string() + "' -o /dev/null >/dev/null || exit 1; done";
    ::setenv("LATHE_CACHE_DIR", folder().c_str(), 1);
    ::execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
    ::_exit(127);
  }
};

TEST_F(CacheRivals, OneThreadCompilesForAll) {
  const Compiler compiler = make();
  const std::string expected = outcome(makeUncached().compile(numbered(0)));
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&] { EXPECT_EQ(outcome(compiler.compile(numbered(0))), expected); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stats().misses, 1U);
  EXPECT_EQ(stats().memoryHits, 15U);
}

TEST_F(CacheRivals, NoJobIsCompiledTwiceByTwoProcesses) {
  constexpr int jobs = 12, processes = 6;
  std::vector<pid_t> children;
  children.reserve(processes);
  for (int i = 0; i < processes; ++i) children.push_back(start(0, jobs));
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  const CacheStats after = stats();
  EXPECT_EQ(after.misses, static_cast<std::uint64_t>(jobs));
  EXPECT_EQ(after.diskHits, static_cast<std::uint64_t>(jobs * (processes - 1)));
  EXPECT_EQ(after.entries, static_cast<std::uint64_t>(jobs));
}

TEST_F(CacheRivals, AChildThatLivesOnHoldsNoLock) {
  pid_t child = 0;
  int lock = -1;
  CompileRequest request;
  request.progress = [&](const CompileProgress&) {
    if (child != 0) return;
    const std::filesystem::directory_iterator held(folder() / "locks");
    ASSERT_NE(held, end(held));
    lock = ::open(held->path().c_str(), O_RDWR | O_CLOEXEC);
    child = ::fork();
    while (child == 0) ::pause();
  };
  const auto result = make().compile(numbered(0), request);
  ASSERT_TRUE(result) << result.error().render();
  ASSERT_GT(child, 0);
  EXPECT_EQ(::flock(lock, LOCK_EX | LOCK_NB), 0) << "who waits for the job's lock waits for the child";
  ::close(lock);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST_F(CacheRivals, KilledProcessesLeaveNothingBehind) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    const pid_t children[] = {start(round, round + 8), start(round, round + 8)};
    ::usleep(std::uniform_int_distribution<useconds_t>(20'000, 250'000)(random));
    for (const pid_t child : children) {
      ::kill(-child, SIGKILL);
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
  }
  ::usleep(200'000);  // what the killed had started
  auto cache = Cache::open({.folder = folder()});
  ASSERT_TRUE(cache);
  EXPECT_EQ(cache->verify(), 0U);
  cache->prune(CacheConfig{}.diskBytes);
  EXPECT_TRUE(std::filesystem::is_empty(folder() / "tmp"));
  EXPECT_TRUE(std::filesystem::is_empty(folder() / "locks"));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(outcome(make().compile(numbered(i))), outcome(makeUncached().compile(numbered(i))));
}

}  // namespace
}  // namespace lathe::test
