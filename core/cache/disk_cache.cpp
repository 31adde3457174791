// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout of the folder: XX/KEY.i, XX/KEY.r, XX/KEY.d and XX/KEY.p, where XX are the key's first two digits; tmp/ with
// files that are being written; locks/ with a file for each key that somebody compiles; counts. An entry's time of
// change is that of its last use.
#include "core/cache/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "llvm/ADT/StringExtras.h"

#include "core/cache/cache_file.h"
#include "core/store/compiled_code.h"
#include "core/support/file.h"

namespace lathe::detail {
namespace {

constexpr const char* locks = "locks";
constexpr std::int64_t second = 1'000'000'000;
/// Uses closer together than this are one: writing times costs more than reading them.
constexpr std::int64_t useGrain = 60 * second;
constexpr std::int64_t day = 24 * 3600 * second;

std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * second + time.tv_nsec;
}

std::int64_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return nanoseconds(time);
}

std::string hexOf(std::string_view key) {
  return llvm::toHex(llvm::StringRef(key.data(), key.size()), /*LowerCase=*/true);
}

std::string entryPath(std::string_view key, EntryKind kind) {
  const std::string hex = hexOf(key);
  return hex.substr(0, 2) + "/" + hex + "." + static_cast<char>(kind);
}

/// Calls `visit(name)` for what is in the folder `name` below `folder`, but for hidden files.
template <class Visit>
void forEachIn(int folder, const char* name, Visit visit) {
  const int opened = ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) return;
  DIR* const list = ::fdopendir(opened);
  if (!list) {
    ::close(opened);
    return;
  }
  while (const dirent* const entry = ::readdir(list)) {
    if (entry->d_name[0] != '.') visit(std::string(entry->d_name));
  }
  ::closedir(list);
}

/// The entry that a file's name stands for; nothing for other files.
std::optional<EntryFile> entryNamed(const std::string& folder, const std::string& name) {
  constexpr std::size_t digits = 64;
  if (name.size() != digits + 2 || name[digits] != '.' || !name.starts_with(folder)) return std::nullopt;
  const auto kind = static_cast<EntryKind>(name.back());
  constexpr EntryKind kinds[] = {EntryKind::inputs, EntryKind::result, EntryKind::compiledCode, EntryKind::prelude};
  if (std::ranges::find(kinds, kind) == std::end(kinds)) return std::nullopt;
  EntryFile out{.path = folder + "/" + name, .key = {}, .kind = kind};
  if (!llvm::tryGetFromHex(llvm::StringRef(name).take_front(digits), out.key)) return std::nullopt;
  return out;
}

/// What a file of the kind holds; nothing if it is not whole.
std::optional<std::string> unpacked(std::string_view key, EntryKind kind, std::string_view file) {
  if (kind != EntryKind::compiledCode) return unpackEntry(key, file);
  auto code = unpackCompiledCode(file);
  return code ? std::optional(std::move(code->image)) : std::nullopt;
}

}  // namespace

KeyLock::~KeyLock() {
  if (file_.ok()) ::unlinkat(folder_, path_.c_str(), 0);  // then unlocked, which lets the next one in
}

DiskCache::DiskCache(std::filesystem::path path, UniqueDescriptor folder, std::uint64_t mostBytes, bool readOnly)
    : path_(std::move(path)), folder_(std::move(folder)), mostBytes_(mostBytes), readOnly_(readOnly) {
  const int access = readOnly_ ? O_RDONLY : O_RDWR | O_CREAT;
  const UniqueDescriptor counts(::openat(folder_.get(), cache_folder::counts, access | O_NOFOLLOW | O_CLOEXEC, 0600));
  counters_ = SharedCounters(counts.get(), !readOnly_);
}

std::unique_ptr<DiskCache> DiskCache::open(const std::filesystem::path& folder, std::uint64_t mostBytes, bool readOnly,
                                           std::string& why) {
  UniqueDescriptor opened = cache_folder::open(folder, !readOnly, why);
  if (!opened.ok()) return nullptr;
  if (!readOnly) {
    readOnly = ::faccessat(opened.get(), ".", W_OK, AT_EACCESS) != 0;  // as on a file system that is only read
    for (const char* const name : {cache_folder::temporaries, locks})
      readOnly = readOnly || (::mkdirat(opened.get(), name, 0700) != 0 && errno != EEXIST);
  }
  return std::unique_ptr<DiskCache>(new DiskCache(folder, std::move(opened), mostBytes, readOnly));
}

std::optional<std::string> DiskCache::read(std::string_view key, EntryKind kind, std::string* why) const {
  const std::string path = entryPath(key, kind);
  const auto refuse = [&](const std::string& reason) {
    if (why && !reason.empty()) *why = (path_ / path).string() + ": " + reason;
    return std::nullopt;
  };
  struct stat facts{};
  std::string problem;
  const UniqueDescriptor file = cache_folder::openFile(folder_.get(), path, facts, &problem);
  if (!file.ok()) return refuse(problem);
  const auto bytes = contentsOf(file.get(), static_cast<std::size_t>(facts.st_size));
  auto value = bytes ? unpacked(key, kind, *bytes) : std::nullopt;
  if (!value) {
    count(CacheCount::damaged);
    remove({path, std::string(key), kind, static_cast<std::uint64_t>(facts.st_size)});
    return refuse("it was damaged");
  }
  const std::int64_t age = now() - nanoseconds(facts.st_mtim);
  if (!readOnly_ && (age > useGrain || age < -useGrain)) ::futimens(file.get(), nullptr);
  return value;
}

bool DiskCache::isFull() const {
  struct statvfs facts{};
  return ::fstatvfs(folder_.get(), &facts) == 0 && facts.f_blocks > 0 && facts.f_bavail == 0;
}

bool DiskCache::write(std::string_view key, EntryKind kind, std::string_view value) const {
  if (readOnly_) return false;
  const std::string path = entryPath(key, kind);
  const std::string bytes = packEntry(key, value);
  struct stat before{};
  const bool replaces = ::fstatat(folder_.get(), path.c_str(), &before, AT_SYMLINK_NOFOLLOW) == 0;
  if (!cache_folder::publish(folder_.get(), path, bytes)) return false;
  count(CacheCount::bytes, static_cast<std::int64_t>(bytes.size()) - (replaces ? before.st_size : 0));
  if (counted(CacheCount::bytes) > mostBytes_) prune(mostBytes_ / 10 * 9);
  return true;
}

namespace {

/// Waits for an exclusive lock of `file`. False: there is none to be had, or nobody waits any more.
bool waitForLock(const FileLock& file, const std::stop_token& stop) {
  // The system's own wait cannot be ended from another thread.
  constexpr auto pause = std::chrono::milliseconds(5);
  while (!file.lock(stop.stop_possible() ? LOCK_NB : 0)) {
    if (errno != EINTR && errno != EWOULDBLOCK) return false;
    if (stop.stop_requested()) return false;
    if (stop.stop_possible()) std::this_thread::sleep_for(pause);
  }
  return true;
}

}  // namespace

KeyLock DiskCache::lock(std::string_view key, const std::stop_token& stop) const {
  if (readOnly_) return {};
  const std::string path = std::string(locks) + "/" + hexOf(key);
  for (bool waited = false;; waited = true) {
    FileLock file(
        UniqueDescriptor(::openat(folder_.get(), path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)));
    if (!file.ok()) return {};
    if (!file.lock(LOCK_NB)) {
      if (errno != EWOULDBLOCK) {  // a file system without locks
        ::unlinkat(folder_.get(), path.c_str(), 0);
        return {};
      }
      waited = true;
      if (!waitForLock(file, stop)) return {};
    }
    // Whoever had it removed the file: a lock on that one keeps nobody out.
    struct stat own{}, there{};
    if (::fstat(file.get(), &own) == 0 && ::fstatat(folder_.get(), path.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 &&
        own.st_ino == there.st_ino)
      return {std::move(file), folder_.get(), path, waited};
  }
}

std::vector<EntryFile> DiskCache::entries() const {
  std::vector<EntryFile> out;
  forEachIn(folder_.get(), ".", [&](const std::string& folder) {
    if (folder.size() != 2) return;
    forEachIn(folder_.get(), folder.c_str(), [&](const std::string& name) {
      auto entry = entryNamed(folder, name);
      struct stat facts{};
      if (!entry || ::fstatat(folder_.get(), entry->path.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) return;
      entry->bytes = static_cast<std::uint64_t>(facts.st_size);
      entry->lastUse = nanoseconds(facts.st_mtim);
      out.push_back(*std::move(entry));
    });
  });
  return out;
}

bool DiskCache::remove(const EntryFile& entry) const {
  if (readOnly_ || ::unlinkat(folder_.get(), entry.path.c_str(), 0) != 0) return false;
  count(CacheCount::bytes, -static_cast<std::int64_t>(entry.bytes));
  return true;
}

void DiskCache::removeLeftovers() const {
  for (const char* const folder : {cache_folder::temporaries, locks}) {
    forEachIn(folder_.get(), folder, [&](const std::string& name) {
      const std::string path = std::string(folder) + "/" + name;
      const FileLock file(UniqueDescriptor(::openat(folder_.get(), path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC)));
      if (!file.ok()) return;
      const bool isHeld = !file.lock(LOCK_NB);
      struct stat facts{};
      // On a file system without locks nobody knows; what is a day old is nobody's.
      const bool isOld =
          errno != EWOULDBLOCK && ::fstat(file.get(), &facts) == 0 && now() - nanoseconds(facts.st_mtim) > day;
      if (!isHeld || isOld) ::unlinkat(folder_.get(), path.c_str(), 0);
    });
  }
}

std::uint64_t DiskCache::prune(std::uint64_t bytes) const {
  if (readOnly_) return 0;
  // One is enough; the others would remove what it counts.
  const FileLock alone(
      UniqueDescriptor(::openat(folder_.get(), "prune", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)));
  if (!alone.ok() || (!alone.lock(LOCK_NB) && errno == EWOULDBLOCK)) return 0;
  removeLeftovers();
  std::vector<EntryFile> all = entries();
  // A time to come is of a clock that was set back since, and would keep its entry longer than any use.
  std::ranges::sort(all, {}, [latest = now() + useGrain](const EntryFile& entry) {
    return entry.lastUse > latest ? 0 : entry.lastUse;
  });
  std::uint64_t total = 0;
  for (const EntryFile& entry : all) total += entry.bytes;
  counters_.set(static_cast<std::size_t>(CacheCount::bytes), total);  // what was killed did not count
  std::uint64_t removed = 0;
  for (const EntryFile& entry : all) {
    if (total <= bytes) break;
    if (!remove(entry)) continue;
    total -= entry.bytes;
    ++removed;
  }
  count(CacheCount::evicted, static_cast<std::int64_t>(removed));
  return removed;
}

std::uint64_t DiskCache::verify() const {
  std::uint64_t bad = 0;
  for (const EntryFile& entry : entries()) bad += read(entry.key, entry.kind) ? 0 : 1;
  return bad;
}

std::uint64_t DiskCache::clear() const {
  std::uint64_t removed = 0;
  for (const EntryFile& entry : entries()) removed += remove(entry) ? 1 : 0;
  removeLeftovers();
  for (std::size_t index = 0; index < static_cast<std::size_t>(CacheCount::end); ++index) counters_.set(index, 0);
  return removed;
}

}  // namespace lathe::detail
