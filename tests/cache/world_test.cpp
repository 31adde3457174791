// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A world that changes under the cache: the clock is set, a header changes while it is compiled, another build of Lathe
// uses the same folder, a file belongs to somebody else.
#include <sys/stat.h>
#include <unistd.h>

#include "cache_fixture.h"
#include "jobs.h"

namespace lathe::test {
namespace {

class CacheWorld : public CacheTest {
 protected:
  CacheWorld() { write(header("factor.h"), "#define FACTOR 2\n"); }

  [[nodiscard]] std::vector<std::filesystem::path> entries() const {
    std::vector<std::filesystem::path> out;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder())) {
      if (file.path().extension() == ".i" || file.path().extension() == ".r") out.push_back(file.path());
    }
    return out;
  }
  void setTimes(std::chrono::hours fromNow) const {
    for (const auto& file : entries())
      std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() + fromNow);
  }
  [[nodiscard]] Job other() const {
    Job out = job("null");
    out.options.defines = {"OTHER"};
    return out;
  }
};

TEST_F(CacheWorld, AClockThatWasSetBackKeepsNoEntryForEver) {
  (void)originOf(job("null"));
  const std::uint64_t one = stats().bytes;
  setTimes(std::chrono::hours(24 * 365));
  EXPECT_EQ(originOf(other()), CacheOrigin::compiled);  // later, by a clock that is right again
  auto cache = Cache::open({.folder = folder()});
  ASSERT_TRUE(cache);
  EXPECT_GT(cache->prune(one + one / 4), 0U);
  EXPECT_EQ(originOf(other()), CacheOrigin::disk);
  EXPECT_EQ(originOf(job("null")), CacheOrigin::compiled);
}

TEST_F(CacheWorld, AUseCountsWhateverTheClockSaidBefore) {
  for (const int hours : {24 * 365, -24 * 365 * 30}) {
    (void)originOf(job("null"));
    setTimes(std::chrono::hours(hours));
    EXPECT_EQ(originOf(job("null")), CacheOrigin::disk);
    const auto now = std::filesystem::file_time_type::clock::now();
    for (const auto& file : entries()) {
      const auto age = now - std::filesystem::last_write_time(file);
      EXPECT_LT(age, std::chrono::hours(1)) << file;
      EXPECT_GT(age, std::chrono::hours(-1)) << file;
    }
  }
}

TEST_F(CacheWorld, AHeaderThatChangesWhileItIsCompiledIsNotKept) {
  Job changing = job();
  changing.source.text = std::string("#include <lathe/device.h>\n#include \"factor.h\"\n#include \"late.h\"\n") + twice;
  CompilerConfig resolving = config();
  bool changes = true;
  resolving.headers = [&](std::string_view name) -> std::optional<std::string> {
    if (name != "late.h") return std::nullopt;
    if (changes) write(header("factor.h"), "#define FACTOR 3\n");  // after it was read
    return "";
  };
  const auto compile = [&] {
    const auto result = make(resolving).compile(changing);
    EXPECT_TRUE(result) << result.error().render();
    return result ? std::pair(result->origin, outcome(result)) : std::pair(CacheOrigin::memory, std::string());
  };
  EXPECT_EQ(compile().first, CacheOrigin::compiled);
  changes = false;
  CompilerConfig plain = resolving;
  plain.cache.enabled = false;
  for (const char* const text : {"#define FACTOR 3\n", "#define FACTOR 2\n"}) {
    write(header("factor.h"), text);
    const auto [origin, served] = compile();
    EXPECT_EQ(served, outcome(make(plain).compile(changing))) << text;
    EXPECT_EQ(compile().first, CacheOrigin::disk) << text;
  }
}

TEST_F(CacheWorld, FilesOfAnotherUserAreNotRead) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  constexpr uid_t nobody = 65534;
  (void)originOf(job("null"));
  for (const auto& file : entries()) ASSERT_EQ(::chown(file.c_str(), nobody, nobody), 0);
  EXPECT_EQ(originOf(job("null")), CacheOrigin::compiled);
  ASSERT_EQ(::chown(folder().c_str(), nobody, nobody), 0);
  EXPECT_EQ(originOf(job("null")), CacheOrigin::compiled);
  const auto cache = Cache::open({.folder = folder()});
  ASSERT_FALSE(cache);
  EXPECT_NE(cache.error().message.find("another user"), std::string::npos) << cache.error().render();
}

TEST_F(CacheWorld, AFolderThatIsALinkToOnesOwnIsUsed) {
  (void)originOf(job("null"));
  std::filesystem::rename(folder(), root_ / "there");
  std::filesystem::create_symlink(root_ / "there", folder());
  EXPECT_EQ(originOf(job("null")), CacheOrigin::disk);
  std::filesystem::remove(folder());
  std::filesystem::create_symlink(root_ / "nowhere", folder());
  EXPECT_TRUE(make().compile(job("null")));
}

TEST_F(CacheWorld, FoldersThatAreRemovedMeanwhileAreMissed) {
  const Compiler compiler = make();
  EXPECT_EQ(compiler.compile(job("null"))->origin, CacheOrigin::compiled);
  std::filesystem::remove_all(folder());
  EXPECT_EQ(compiler.compile(job("null"))->origin, CacheOrigin::memory);
  EXPECT_TRUE(compiler.compile(other()));
  EXPECT_TRUE(make().compile(other()));
}

}  // namespace
}  // namespace lathe::test
