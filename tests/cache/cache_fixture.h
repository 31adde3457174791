// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of its own for each test, with sources in it and a cache beside them.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <lathe/cache.h>
#include <lathe/compiler.h>

#include "../compiler/jobs.h"

namespace lathe::test {

inline constexpr const char* twice = "LATHE_KERNEL void twice(int* data) { data[lathe::global_id().x] *= FACTOR; }\n";

class CacheTest : public testing::Test {
 protected:
  CacheTest() {
    ::unsetenv("LATHE_CACHE");  // ctest turns it off
    std::string pattern = (std::filesystem::temp_directory_path() / "lathe-cache-XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
    std::filesystem::create_directory(root_ / "include");
    ::setenv("XDG_RUNTIME_DIR", root_.c_str(), 1);
  }
  ~CacheTest() override {
    std::error_code failed;
    std::filesystem::remove_all(root_, failed);
  }

  [[nodiscard]] std::filesystem::path folder() const { return root_ / "cache"; }
  [[nodiscard]] std::filesystem::path header(const std::string& name) const { return root_ / "include" / name; }
  static void write(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }
  static std::string read(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  [[nodiscard]] CompilerConfig config() const {
    CompilerConfig out;
    out.workerProgram = LATHE_TEST_WORKER;
    out.cache.folder = folder();
    return out;
  }
  static Compiler make(CompilerConfig config) {
    auto compiler = Compiler::create(std::move(config));
    if (!compiler) {
      ADD_FAILURE() << compiler.error().render();
      std::abort();
    }
    return *std::move(compiler);
  }
  [[nodiscard]] Compiler make() const { return make(config()); }
  /// One that compiles always.
  [[nodiscard]] Compiler makeUncached() const {
    CompilerConfig out = config();
    out.cache.enabled = false;
    return make(std::move(out));
  }

  /// A kernel that takes FACTOR from a header on disk.
  [[nodiscard]] Job job(std::string target = "cpu") const {
    Job out;
    out.source.name = "twice.cpp";
    out.source.text = std::string("#include <lathe/device.h>\n#include \"factor.h\"\n") + twice;
    out.target = std::move(target);
    out.options.includeDirs = {(root_ / "include").string()};
    return out;
  }

  /// Where the result of `job` comes from, to a compiler that has nothing in memory.
  [[nodiscard]] CacheOrigin originOf(const Job& job) const {
    const auto result = make().compile(job);
    EXPECT_TRUE(result) << result.error().render();
    return result ? result->origin : CacheOrigin::compiled;
  }
  /// The cache gives what a compile gives.
  void expectFresh(const Job& job) const {
    EXPECT_EQ(outcome(make().compile(job)), outcome(makeUncached().compile(job)));
  }
  [[nodiscard]] CacheStats stats() const {
    auto cache = Cache::open({.folder = folder()});
    EXPECT_TRUE(cache) << cache.error().render();
    return cache->stats();
  }

  std::filesystem::path root_;
};

}  // namespace lathe::test
