// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Lathe says while it works: to whoever listens, up to the level asked for, and to nobody else.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <latch>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <lathe/log.h>

#include "jobs.h"

namespace lathe::test {
namespace {

/// Listens while it lives.
class Listener {
 public:
  explicit Listener(LogLevel most) {
    setLog(
        [this](const LogRecord& record) {
          const std::lock_guard lock(mutex_);
          heard_.push_back(std::string(logLevelName(record.level)) + " " + std::string(record.component) + ": " +
                           std::string(record.message));
        },
        most);
  }
  Listener(const Listener&) = delete;
  ~Listener() { setLog({}); }
  [[nodiscard]] int count(std::string_view part) const {
    const std::lock_guard lock(mutex_);
    int out = 0;
    for (const std::string& one : heard_) out += one.find(part) != std::string::npos;
    return out;
  }
  [[nodiscard]] std::size_t size() const { return heard_.size(); }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> heard_;
};

TEST(Log, SaysWhatIsCompiledAndWhere) {
  const Listener listener(LogLevel::info);
  const Compiler compiler = makeCompiler();
  ASSERT_TRUE(compiler.compile(kernelJob(goodKernel)));
  EXPECT_EQ(listener.count("info compiler: every kernel from kernel.cpp for cpu at O3: compiled in "), 1);
  ASSERT_FALSE(compiler.compile(kernelJob("LATHE_KERNEL void broken( {")));
  EXPECT_EQ(listener.count("source-error in "), 1);
  CompileRequest request;
  request.isolation = Isolation::worker;
  ASSERT_TRUE(compiler.compile(kernelJob(goodKernel), request));
  EXPECT_EQ(listener.count(", in a worker"), 1);
}

TEST(Log, WarnsOfAFolderThatIsNotUsed) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "lathe-no-folder";
  std::ofstream(file) << "a file";
  const Listener listener(LogLevel::warning);
  CompilerConfig config;
  config.cache.folder = file;
  const char* const before = std::getenv("LATHE_CACHE");
  const std::string kept = before ? before : "";
  ::unsetenv("LATHE_CACHE");  // ctest turns it off
  const auto compiler = Compiler::create(config);
  if (before) ::setenv("LATHE_CACHE", kept.c_str(), 1);
  std::filesystem::remove(file);
  ASSERT_TRUE(compiler);
  EXPECT_EQ(listener.count("warning cache: the folder is not used: " + file.string() + ": "), 1);
  ASSERT_TRUE(compiler->compile(kernelJob(goodKernel)));  // without it
  EXPECT_EQ(listener.size(), 1U) << "a compile is no warning";
}

TEST(Log, IsNotCalledAfterwards) {
  std::latch called(1), release(1);
  std::atomic<bool> isInside = false;
  setLog(
      [&, first = true](const LogRecord&) mutable {
        if (!std::exchange(first, false)) return;
        isInside = true;
        called.count_down();
        release.wait();
        isInside = false;
      },
      LogLevel::debug);
  std::jthread other([] { (void)makeCompiler().compile(kernelJob("LATHE_KERNEL void broken( {")); });
  called.wait();
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    release.count_down();
  });
  setLog({});  // which waits for the call
  EXPECT_FALSE(isInside);
}

TEST(Log, LevelsHaveNames) {
  for (const LogLevel level : {LogLevel::warning, LogLevel::info, LogLevel::debug})
    EXPECT_EQ(logLevelNamed(logLevelName(level)), level);
  EXPECT_FALSE(logLevelNamed("loud"));
}

}  // namespace
}  // namespace lathe::test
