// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder that is damaged, foreign, full or read-only: the compile is right whatever it holds.
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>

#include "cache_fixture.h"
#include "jobs.h"

namespace lathe::test {
namespace {

class CacheDamage : public CacheTest {
 protected:
  CacheDamage() {
    write(header("factor.h"), "#define FACTOR 2\n");
    expected_ = outcome(makeUncached().compile(job("null")));
    (void)originOf(job("null"));
  }

  /// The cache's files, the list of what was read and the result.
  [[nodiscard]] std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> out;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder())) {
      if (file.path().extension() == ".i" || file.path().extension() == ".r") out.push_back(file.path());
    }
    std::ranges::sort(out);
    return out;
  }
  void expectRight(const std::string& what) const {
    EXPECT_EQ(outcome(make().compile(job("null"))), expected_) << what;
  }

  std::string expected_;
};

TEST_F(CacheDamage, NoTruncationAndNoFlippedBitIsServed) {
  ASSERT_EQ(files().size(), 2U);
  for (const auto& file : files()) {
    const std::string whole = read(file);
    const std::size_t step = std::max<std::size_t>(whole.size() / 40, 1);
    for (std::size_t size = 0; size < whole.size(); size += step) {
      std::filesystem::remove(file);
      write(file, whole.substr(0, size));
      std::filesystem::permissions(file, std::filesystem::perms(0600));
      expectRight(file.filename().string() + " cut to " + std::to_string(size));
      std::string flipped = whole;
      flipped[size] = static_cast<char>(flipped[size] ^ (1 << size % 8));
      std::filesystem::remove(file);
      write(file, flipped);
      std::filesystem::permissions(file, std::filesystem::perms(0600));
      expectRight(file.filename().string() + " with another bit at " + std::to_string(size));
    }
  }
  EXPECT_GT(stats().damaged, 0U);
  EXPECT_EQ(originOf(job("null")), CacheOrigin::disk);  // each was replaced
}

TEST_F(CacheDamage, AnEntryUnderAnotherNameIsNotServed) {
  Job other = job("null");
  other.options.defines = {"OTHER"};
  (void)originOf(other);
  const auto all = files();
  ASSERT_EQ(all.size(), 4U);
  for (const auto& file : all) {
    for (const auto& place : all) {
      if (file == place || file.extension() != place.extension()) continue;
      const std::string before = read(place);
      std::filesystem::copy_file(file, place, std::filesystem::copy_options::overwrite_existing);
      expectRight(file.filename().string() + " as " + place.filename().string());
      std::filesystem::remove(place);
      write(place, before);
    }
  }
}

TEST_F(CacheDamage, VerifyFindsWhatIsDamaged) {
  auto cache = Cache::open({.folder = folder()});
  ASSERT_TRUE(cache);
  EXPECT_EQ(cache->verify(), 0U);
  const auto victim = files().front();
  std::string bytes = read(victim);
  bytes.back() = static_cast<char>(~bytes.back());
  write(victim, bytes);
  EXPECT_EQ(cache->verify(), 1U);
  EXPECT_EQ(cache->verify(), 0U);
  EXPECT_FALSE(std::filesystem::exists(victim));
}

TEST_F(CacheDamage, LinksAndFilesThatOthersMayWriteAreNotServed) {
  for (const auto& file : files()) {
    const auto aside = root_ / "aside";
    std::filesystem::rename(file, aside);
    std::filesystem::create_symlink(aside, file);
    expectRight("a link");
    std::filesystem::remove(file);
    std::filesystem::rename(aside, file);
    std::filesystem::permissions(file, std::filesystem::perms(0622));
    EXPECT_EQ(originOf(job("null")), CacheOrigin::compiled);
  }
}

TEST_F(CacheDamage, AFolderThatOthersMayWriteIsNotUsed) {
  std::filesystem::permissions(folder(), std::filesystem::perms(0777));
  EXPECT_EQ(originOf(job("null")), CacheOrigin::compiled);
  const auto cache = Cache::open({.folder = folder()});
  ASSERT_FALSE(cache);
  EXPECT_NE(cache.error().message.find("others may write"), std::string::npos) << cache.error().render();
}

TEST_F(CacheDamage, AFolderThatCannotBeMadeIsNone) {
  write(root_ / "file", "");
  CompilerConfig nowhere = config();
  nowhere.cache.folder = root_ / "file" / "cache";
  const Compiler compiler = make(nowhere);
  EXPECT_EQ(outcome(compiler.compile(job("null"))), expected_);
  EXPECT_EQ(compiler.compile(job("null"))->origin, CacheOrigin::memory);
  EXPECT_FALSE(Cache::open(nowhere.cache));
}

/// What the runtime library keeps beside the results has a form of its own.
TEST_F(CacheDamage, VerifyReadsTheRuntimesCodeToo) {
  const auto file = folder() / "ab" / ("ab" + std::string(62, '0') + ".d");
  std::filesystem::create_directory(file.parent_path());
  const auto put = [&](const std::string& text) {
    write(file, text);
    std::filesystem::permissions(file, std::filesystem::perms(0600));
  };
  auto cache = Cache::open({.folder = folder()});
  ASSERT_TRUE(cache);
  // The name of the form, a CRC-32 of three empty texts, and these.
  const std::string whole = std::string("LATHED\x01\n", 8) + std::string("\x6f\xc6\xd5\x7b", 4) + std::string(12, '\0');
  put(whole);
  EXPECT_EQ(cache->verify(), 0U);
  for (const std::string& text : {whole.substr(0, 20), "X" + whole, whole + "X", std::string()}) {
    put(text);
    EXPECT_EQ(cache->verify(), 1U);
    EXPECT_FALSE(std::filesystem::exists(file));
  }
}

/// A job whose result made room for others is none that there are results of.
TEST_F(CacheDamage, OnlyJobsWithResultsAreListed) {
  auto cache = Cache::open({.folder = folder()});
  ASSERT_TRUE(cache);
  ASSERT_EQ(cache->entries().size(), 1U);
  EXPECT_EQ(cache->entries()[0].variants, 1U);
  for (const auto& file : files())
    if (file.extension() == ".r") std::filesystem::remove(file);
  EXPECT_TRUE(cache->entries().empty());
}

TEST_F(CacheDamage, ReadOnlyByTheEnvironment) {
  ::setenv("LATHE_CACHE", "readonly", 1);
  auto cache = Cache::open({.folder = folder()});
  ::unsetenv("LATHE_CACHE");
  ASSERT_TRUE(cache);
  EXPECT_TRUE(cache->readOnly());
  EXPECT_EQ(cache->clear(), 0U);
  EXPECT_FALSE(files().empty());
  auto writable = Cache::open({.folder = folder()});
  EXPECT_FALSE(writable->readOnly());
}

TEST_F(CacheDamage, AReadOnlyCacheServesAndKeepsNothing) {
  CompilerConfig reader = config();
  reader.cache.readOnly = true;
  EXPECT_EQ(make(reader).compile(job("null"))->origin, CacheOrigin::disk);
  Job other = job("null");
  other.options.defines = {"OTHER"};
  EXPECT_EQ(make(reader).compile(other)->origin, CacheOrigin::compiled);
  EXPECT_EQ(make(reader).compile(other)->origin, CacheOrigin::compiled);
}

TEST_F(CacheDamage, AFullDiskIsNoError) {
  struct rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  struct rlimit small = before;
  small.rlim_cur = 600;  // less than a result; the counts are there already
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  Job other = job("null");
  other.options.defines = {"OTHER"};
  const std::string said = outcome(make().compile(other));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(said, outcome(makeUncached().compile(other)));
  EXPECT_TRUE(std::filesystem::is_empty(folder() / "tmp"));
  EXPECT_EQ(originOf(other), CacheOrigin::compiled);
}

TEST_F(CacheDamage, WhatWasNotUsedLongestGoesFirst) {
  auto cache = Cache::open({.folder = folder()});
  ASSERT_TRUE(cache);
  const std::uint64_t one = cache->stats().bytes;
  Job other = job("null");
  other.options.defines = {"OTHER"};
  (void)originOf(other);
  const auto past = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  for (const auto& file : files()) std::filesystem::last_write_time(file, past);
  EXPECT_EQ(originOf(job("null")), CacheOrigin::disk);  // a use
  EXPECT_GT(cache->prune(one), 0U);
  EXPECT_LE(cache->stats().bytes, one);
  EXPECT_EQ(originOf(job("null")), CacheOrigin::disk);
  EXPECT_EQ(originOf(other), CacheOrigin::compiled);
  EXPECT_GT(cache->clear(), 0U);
  EXPECT_EQ(cache->stats().bytes, 0U);
  EXPECT_EQ(cache->stats().misses, 0U);
}

TEST_F(CacheDamage, AFolderStaysBelowItsLimit) {
  CompilerConfig small = config();
  small.cache.diskBytes = 20'000;
  const Compiler compiler = make(small);
  CompileRequest kept;  // when it returns, no entry is being written
  kept.durable = true;
  for (int i = 0; i < 40; ++i) {
    Job other = job("null");
    other.options.defines = {"OTHER=" + std::to_string(i)};
    ASSERT_TRUE(compiler.compile(other, kept));
    EXPECT_LE(stats().bytes, small.cache.diskBytes);
  }
  EXPECT_LE(stats().bytes, small.cache.diskBytes);
  EXPECT_GT(stats().evicted, 0U);
}

}  // namespace
}  // namespace lathe::test
