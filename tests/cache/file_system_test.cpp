// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// File systems that do what local ones do not: NFS renames a file and says that it failed, or has no locks; disks are
// full or only read. The functions of the C library stand here once more, in front of its own.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>

#include "cache_fixture.h"
#include "jobs.h"

namespace {

enum class Fault : char { none, renameFails, renameLies, noLocks, noSync, full, readOnly };
std::atomic<Fault> fault = Fault::none;
std::atomic<int> faults = 0;  ///< how often it was met

bool isMet(Fault asked) {
  if (fault != asked) return false;
  ++faults;
  return true;
}
int failed(int code) {
  errno = code;
  return -1;
}
template <class F>
F* real(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {
[[gnu::visibility("default")]] int renameat(int from, const char* old, int to, const char* fresh) noexcept {
  static const auto next = real<int(int, const char*, int, const char*)>("renameat");
  if (isMet(Fault::renameFails)) return failed(ESTALE);
  const int out = next(from, old, to, fresh);
  // The answer was lost, and the server was asked again.
  return isMet(Fault::renameLies) ? failed(ENOENT) : out;
}
[[gnu::visibility("default")]] int flock(int file, int operation) noexcept {
  static const auto next = real<int(int, int)>("flock");
  return isMet(Fault::noLocks) ? failed(ENOLCK) : next(file, operation);
}
[[gnu::visibility("default")]] int fdatasync(int file) {
  static const auto next = real<int(int)>("fdatasync");
  return isMet(Fault::noSync) ? failed(EIO) : next(file);
}
[[gnu::visibility("default")]] ssize_t write(int file, const void* bytes, std::size_t size) {
  static const auto next = real<ssize_t(int, const void*, std::size_t)>("write");
  if (!isMet(Fault::full)) return next(file, bytes, size);
  if (size < 200) return failed(ENOSPC);
  return next(file, bytes, size / 2);
}
[[gnu::visibility("default")]] int openat(int folder, const char* path, int flags, ...) {
  static const auto next = real<int(int, const char*, int, ...)>("openat");
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  if ((flags & (O_CREAT | O_WRONLY | O_RDWR)) != 0 && isMet(Fault::readOnly)) return failed(EROFS);
  return next(folder, path, flags, mode);
}
}

namespace lathe::test {
namespace {

class CacheFileSystem : public CacheTest, public testing::WithParamInterface<Fault> {
 protected:
  CacheFileSystem() { write(header("factor.h"), "#define FACTOR 2\n"); }
  ~CacheFileSystem() override { fault = Fault::none; }

  [[nodiscard]] static Job numbered(Job job, int number) {
    job.options.defines = {"NUMBER=" + std::to_string(number)};
    return job;
  }
};

std::string nameOf(const testing::TestParamInfo<Fault>& info) {
  constexpr const char* names[] = {"None", "RenameFails", "RenameLies", "NoLocks", "NoSync", "Full", "ReadOnly"};
  return names[static_cast<std::size_t>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(With, CacheFileSystem,
                         testing::Values(Fault::renameFails, Fault::renameLies, Fault::noLocks, Fault::noSync,
                                         Fault::full, Fault::readOnly),
                         nameOf);

TEST_P(CacheFileSystem, CompilesAreRightAndTheFolderStaysWhole) {
  const Job before = numbered(job("null"), 0), during = numbered(job("null"), 1);
  const std::string expected = outcome(makeUncached().compile(during));
  EXPECT_EQ(originOf(before), CacheOrigin::compiled);
  faults = 0;
  fault = GetParam();
  EXPECT_EQ(outcome(make().compile(during)), expected);
  EXPECT_EQ(outcome(make().compile(during)), expected);
  EXPECT_EQ(originOf(before), CacheOrigin::disk);  // reading goes on
  fault = Fault::none;
  EXPECT_GT(faults, 0);
  // Where there was room for an entry it is there: locks only save work.
  if (GetParam() == Fault::noLocks) {
    EXPECT_EQ(originOf(during), CacheOrigin::disk);
  }
  EXPECT_EQ(outcome(make().compile(during)), expected);
  EXPECT_EQ(originOf(during), CacheOrigin::disk);
  auto cache = Cache::open({.folder = folder()});
  ASSERT_TRUE(cache);
  EXPECT_EQ(cache->verify(), 0U);
  EXPECT_TRUE(std::filesystem::is_empty(folder() / "tmp"));
  EXPECT_TRUE(std::filesystem::is_empty(folder() / "locks"));
  EXPECT_EQ(stats().damaged, 0U);
}

TEST_F(CacheFileSystem, AnImportThatHasNoRoomIsAnError) {
  (void)originOf(job("null"));
  auto from = Cache::open({.folder = folder()}), to = Cache::open({.folder = root_ / "other"});
  ASSERT_TRUE(from && to);
  const auto file = root_ / "export";
  ASSERT_TRUE(from->exportTo(file));
  fault = Fault::full;
  const auto added = to->importFrom(file);
  fault = Fault::none;
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::FileUnwritable) << added.error().render();
  EXPECT_EQ(to->importFrom(file).value(), 2U);
}

TEST_F(CacheFileSystem, WithoutLocksLeftoversGoAfterADay) {
  (void)originOf(job("null"));
  write(folder() / "tmp" / "dead", "half");
  write(folder() / "tmp" / "alive", "half");
  std::filesystem::last_write_time(folder() / "tmp" / "dead",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(25));
  auto cache = Cache::open({.folder = folder()});
  ASSERT_TRUE(cache);
  fault = Fault::noLocks;
  const std::uint64_t removed = cache->prune(0);
  fault = Fault::none;
  EXPECT_EQ(removed, 2U);
  EXPECT_FALSE(std::filesystem::exists(folder() / "tmp" / "dead"));
  EXPECT_TRUE(std::filesystem::exists(folder() / "tmp" / "alive"));
  cache->prune(0);
  EXPECT_FALSE(std::filesystem::exists(folder() / "tmp" / "alive"));
}

}  // namespace
}  // namespace lathe::test
