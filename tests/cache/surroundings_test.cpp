// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compile learns of the machine beside the texts of headers: resolvers, spellings of paths, sizes of files that
// nobody reads.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "cache_fixture.h"
#include "jobs.h"

namespace lathe::test {
namespace {

class CacheSurroundings : public CacheTest {
 protected:
  /// A job with `text` in front of a kernel that takes FACTOR.
  [[nodiscard]] Job jobWith(const std::string& text) const {
    Job out = job("null");
    out.source.text = "#include <lathe/device.h>\n" + text + "\n" + twice;
    return out;
  }
};

TEST_F(CacheSurroundings, AResolverCounts) {
  CompilerConfig resolving = config();
  resolving.headers = [](std::string_view name) -> std::optional<std::string> {
    if (name == "tuned.h") return "#define FACTOR 5\n";
    return std::nullopt;
  };
  CompilerConfig plain = config();
  const Job job = jobWith("#if __has_include(\"tuned.h\")\n#include \"tuned.h\"\n#else\n#define FACTOR 1\n#endif");
  const std::string without = outcome(make(plain).compile(job));
  const std::string with = outcome(make(resolving).compile(job));
  EXPECT_NE(with, without);
  EXPECT_EQ(outcome(make(plain).compile(job)), without);
  EXPECT_EQ(make(resolving).compile(job)->origin, CacheOrigin::disk);
  const Job needed = jobWith("#include \"tuned.h\"");
  EXPECT_FALSE(make(plain).compile(needed));
  EXPECT_TRUE(make(resolving).compile(needed));
}

TEST_F(CacheSurroundings, APathWithFurtherSlashesBehindADotIsRelative) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(root_);
  Job relative = jobWith("#include \"factor.h\"");
  relative.options.includeDirs = {".//include"};
  write(header("factor.h"), "#define FACTOR 2\n");
  EXPECT_EQ(originOf(relative), CacheOrigin::compiled);
  EXPECT_EQ(originOf(relative), CacheOrigin::disk);
  write(header("factor.h"), "#define FACTOR 3\n");
  EXPECT_EQ(originOf(relative), CacheOrigin::compiled);
  std::filesystem::current_path(before);
}

TEST_F(CacheSurroundings, TheSizeOfAFileThatNobodyReadsCounts) {
  const Job kernel = jobWith("#if __has_embed(\"data.bin\") == 2\n#define FACTOR 2\n#else\n#define FACTOR 3\n#endif");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(root_);  // where it is looked for
  write("data.bin", "");
  EXPECT_EQ(originOf(kernel), CacheOrigin::compiled);
  EXPECT_EQ(originOf(kernel), CacheOrigin::disk);
  write("data.bin", "bytes");
  EXPECT_EQ(originOf(kernel), CacheOrigin::compiled);
  expectFresh(kernel);
  write("data.bin", "");
  EXPECT_EQ(originOf(kernel), CacheOrigin::disk);
  std::filesystem::current_path(before);
}

/// Uses up all descriptors that the process may have, until it is destroyed.
class NoDescriptors {
 public:
  NoDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few{128, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
    for (int file = 0; (file = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;) files_.push_back(file);
  }
  NoDescriptors(const NoDescriptors&) = delete;
  ~NoDescriptors() {
    for (const int file : files_) ::close(file);
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }

 private:
  rlimit before_{};
  std::vector<int> files_;
};

TEST_F(CacheSurroundings, FailuresOfTheSystemAreNotKept) {
  write(header("factor.h"), "#define FACTOR 2\n");
  const Compiler compiler = make();
  {
    const NoDescriptors none;
    EXPECT_FALSE(compiler.compile(job("null")));
  }
  const auto later = compiler.compile(job("null"));
  ASSERT_TRUE(later) << later.error().render();
  EXPECT_EQ(later->origin, CacheOrigin::compiled);
  std::filesystem::remove(header("factor.h"));
  std::filesystem::create_symlink("factor.h", header("factor.h"));  // too many links to follow
  const auto before = stats();
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(make().compile(job("null")));
  EXPECT_EQ(stats().misses, before.misses + 2);
  EXPECT_EQ(stats().diskHits, before.diskHits);
}

TEST_F(CacheSurroundings, WhatAWorkerReadAnewIsNotKeptUnderItsCallersKey) {
  const auto targets = root_ / "targets";
  std::filesystem::create_directory(targets);
  CompilerConfig own = config();
  own.targetPath = {targets};
  own.variables["LATHE_LIBDEVICE"] = (root_ / "library.bc").string();
  own.isolation = Isolation::worker;
  const auto descriptor = [&](const std::string& rest) {
    write(targets / "mine.yaml", "lathe: 1\nname: mine\nextends: cuda\n" + rest);
  };
  const auto library = [&](const std::string& text) { write(root_ / "library.bc", text); };
  write(header("factor.h"), "#define FACTOR 2\n");
  descriptor("");
  library("one");
  const Compiler compiler = make(own);
  ASSERT_TRUE(compiler.compile(job("mine")));  // which reads both
  Job late = job("mine");
  const auto change = [&](const std::string& name, const std::function<void()>& there,
                          const std::function<void()>& back) {
    late.options.defines = {"NAME=" + name};
    there();
    EXPECT_TRUE(compiler.compile(late));  // by a worker, which reads what is there now
    back();
    const auto fresh = make(own).compile(late);
    ASSERT_TRUE(fresh);
    EXPECT_EQ(fresh->origin, CacheOrigin::compiled) << name;
    EXPECT_EQ(make(own).compile(late)->origin, CacheOrigin::disk) << name;
  };
  change("descriptor", [&] { descriptor("limits: {shared_bytes: 1024}\n"); }, [&] { descriptor(""); });
  change("library", [&] { library("two"); }, [&] { library("one"); });
}

TEST_F(CacheSurroundings, AWorkerOfAProgramWithThreadsIsTheSameBuild) {
  CompilerConfig own = config();
  own.isolation = Isolation::worker;
  const Compiler compiler = make(own);
  const Job kernel = jobWith("#define FACTOR 2");
  std::atomic<bool> done = false;
  std::thread other([&] { done.wait(false); });  // so that the worker is a program of its own
  EXPECT_EQ(compiler.compile(kernel)->origin, CacheOrigin::compiled);
  EXPECT_EQ(compiler.compile(kernel)->origin, CacheOrigin::memory);
  done = true;
  done.notify_all();
  other.join();
}

}  // namespace
}  // namespace lathe::test
