// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A toolkit's headers, which decide the results of sources that name them and of no others; and sources that name no
// file at all.
#include "cache_fixture.h"

namespace lathe::test {
namespace {

class CacheToolkit : public CacheTest {
 protected:
  CacheToolkit() { use("none"); }
  ~CacheToolkit() override { ::unsetenv("LATHE_CCCL"); }

  static void use(const std::string& folder) { ::setenv("LATHE_CCCL", folder.c_str(), 1); }
  /// A folder with a toolkit's libraries, one of which has a header for the tests.
  [[nodiscard]] std::string toolkit(const std::string& name, int value) const {
    const auto folder = root_ / name;
    for (const char* const library : {"cub", "cuda", "nv", "thrust"})
      std::filesystem::create_directories(folder / library);
    write(folder / "cuda" / "mine.h", "#define VALUE " + std::to_string(value) + "\n");
    write(folder / "cuda.h", "#define CUDA_VERSION " + std::to_string(value) + "\n");
    return folder.string();
  }
  static Job source(const std::string& text) {
    Job out;
    out.source = {.name = "k.cu", .text = text + "__global__ void put(int* p) { *p = VALUE; }\n", .dialect = "cuda"};
    out.target = "cuda";
    return out;
  }
};

TEST_F(CacheToolkit, IsNothingToSourcesThatNameNoneOfItsHeaders) {
  for (const char* const text :
       {"#define VALUE 3\n", "#include <cuda_fp16.h>\n#include <cstdint>\n#define VALUE 3\n"}) {
    use("none");
    EXPECT_EQ(originOf(source(text)), CacheOrigin::compiled) << text;
    use(toolkit("one", 1));
    EXPECT_EQ(originOf(source(text)), CacheOrigin::disk) << text;
    expectFresh(source(text));
  }
}

TEST_F(CacheToolkit, CountsWhereItsHeadersAreNamed) {
  for (const char* const text :
       {"#if __has_include(<cuda/mine.h>)\n#include <cuda/mine.h>\n#else\n#define VALUE 9\n#endif\n",
        "#include <cuda.h>\n#define VALUE CUDA_VERSION\n"}) {
    const Job named = source(text);
    use("none");
    EXPECT_EQ(originOf(named), CacheOrigin::compiled) << text;
    EXPECT_EQ(originOf(named), CacheOrigin::disk) << text;
    const std::string one = toolkit("one", 1), two = toolkit("two", 2);
    use(one);
    const auto why = make().whyMiss(named);
    ASSERT_TRUE(why && !why->empty()) << text;
    EXPECT_EQ(why->front(), "a toolkit's headers are there now") << text;
    EXPECT_EQ(originOf(named), CacheOrigin::compiled) << text;
    expectFresh(named);
    use(two);
    EXPECT_EQ(originOf(named), CacheOrigin::compiled) << text;
    expectFresh(named);
    use("none");
    EXPECT_EQ(originOf(named), CacheOrigin::disk) << text;
    expectFresh(named);
    std::filesystem::remove_all(one);
    std::filesystem::remove_all(two);
  }
}

TEST_F(CacheToolkit, FoldersAreNothingToSourcesThatNameNoFile) {
  Job plain = source("#pragma once\n#define VALUE 3\n");
  plain.options.includeDirs = {(root_ / "later").string()};
  EXPECT_EQ(originOf(plain), CacheOrigin::compiled);
  std::filesystem::create_directory(root_ / "later");
  write(root_ / "later" / "cuda_fp16.h", "#error not asked for\n");
  EXPECT_EQ(originOf(plain), CacheOrigin::disk);
  expectFresh(plain);
}

TEST_F(CacheToolkit, APragmaThatNamesAFileCounts) {
  Job old = source("#pragma GCC dependency \"age.h\"\n#define VALUE 3\n");
  old.options.includeDirs = {(root_ / "include").string()};
  EXPECT_FALSE(make().compile(old));
  write(header("age.h"), "");
  EXPECT_EQ(originOf(old), CacheOrigin::compiled);
  expectFresh(old);
}

/// A source is read once for targets with a toolkit and for those without, unless it asks for one of its headers.
TEST_F(CacheToolkit, SharesTheFrontEndWithTargetsThatHaveNone) {
  use(toolkit("one", 1));
  for (const auto& [text, reads] :
       {std::pair("#define VALUE 3\n", 1),
        std::pair("#if __has_include(<cuda/mine.h>)\n#include <cuda/mine.h>\n#else\n#define "
                  "VALUE 9\n#endif\n",
                  2)}) {
    int asked = 0;
    CompilerConfig config = this->config();
    config.cache.enabled = false;
    config.headers = [&](std::string_view name) -> std::optional<std::string> {
      if (name != "counted.h") return std::nullopt;
      ++asked;
      return "";
    };
    const Compiler compiler = make(std::move(config));
    std::vector<Job> jobs(3, source("#include \"counted.h\"\n" + std::string(text)));
    jobs[1].target = "cpu";
    jobs[2].target = "amdgpu";
    const auto results = compiler.compileTogether(jobs);
    const int together = std::exchange(asked, 0);
    EXPECT_EQ(outcome(results[0]), outcome(compiler.compile(jobs[0]))) << text;
    EXPECT_EQ(together, reads * asked) << text;
    for (std::size_t i = 1; i < jobs.size(); ++i)
      EXPECT_EQ(outcome(results[i]), outcome(compiler.compile(jobs[i]))) << text << describe(jobs[i]);
  }
}

}  // namespace
}  // namespace lathe::test
