// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of cache entries that any number of processes share. An entry is whole or not there: it is written under
// another name, synced and renamed, and its digest is checked whenever it is read. Nobody but the folder's owner may
// have written what is read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/cache_folder.h"
#include "core/store/file_lock.h"
#include "core/support/shared_counters.h"
#include "core/support/unique_descriptor.h"

namespace lathe::detail {

/// The kinds of entry, which are the endings of their files. The runtime library reads and writes `compiledCode`
/// (core/store/compiled_code.h), which only has its room here.
enum class EntryKind : char { inputs = 'i', result = 'r', compiledCode = 'd', prelude = 'p' };

/// The only one who compiles for a key, among all threads and processes, until it is destroyed.
class KeyLock {
 public:
  KeyLock() = default;
  KeyLock(FileLock file, int folder, std::string path, bool waited)
      : file_(std::move(file)), folder_(folder), path_(std::move(path)), waited_(waited) {}
  KeyLock(KeyLock&&) noexcept = default;
  KeyLock& operator=(KeyLock&&) noexcept = delete;
  ~KeyLock();
  /// Whether somebody else had it meanwhile, who may have left an entry.
  [[nodiscard]] bool waited() const { return waited_; }

 private:
  FileLock file_;
  int folder_ = -1;
  std::string path_;
  bool waited_ = false;
};

/// An entry as a file.
struct EntryFile {
  std::string path;  ///< in the folder
  std::string key;   ///< 32 bytes
  EntryKind kind = EntryKind::result;
  std::uint64_t bytes = 0;
  std::int64_t lastUse = 0;  ///< nanoseconds since 1970
};

/// Thread-safe. What goes wrong with the disk makes an entry absent, never an error: a cache may forget.
class DiskCache {
 public:
  /// Opens the folder, and makes it if `readOnly` is not set. Null, with the reason in `why`, if there is none that is
  /// safe to use.
  static std::unique_ptr<DiskCache> open(const std::filesystem::path& folder, std::uint64_t mostBytes, bool readOnly,
                                         std::string& why);
  DiskCache(const DiskCache&) = delete;

  /// The entry's value; nothing: there is none. One that is damaged is removed. `why`, if it is wanted, says what is
  /// wrong with a file that is there.
  [[nodiscard]] std::optional<std::string> read(std::string_view key, EntryKind kind, std::string* why = nullptr) const;
  /// Replaces the entry, and makes room where there is too much. False: it is not written.
  bool write(std::string_view key, EntryKind kind, std::string_view value) const;
  /// Waits for whoever else has the key, until `stop` is requested. In a folder that cannot be written to, nobody does.
  [[nodiscard]] KeyLock lock(std::string_view key, const std::stop_token& stop = {}) const;
  void count(CacheCount what, std::int64_t by = 1) const { counters_.add(static_cast<std::size_t>(what), by); }

  [[nodiscard]] std::uint64_t counted(CacheCount what) const { return counters_.get(static_cast<std::size_t>(what)); }
  [[nodiscard]] std::vector<EntryFile> entries() const;
  /// Removes what was used longest ago until at most `bytes` are left, and what killed processes left behind. The
  /// number of entries removed.
  std::uint64_t prune(std::uint64_t bytes) const;
  /// Reads every entry and removes those that are damaged. Their number.
  std::uint64_t verify() const;
  /// Removes all entries and sets all counts to 0. The number of entries removed.
  std::uint64_t clear() const;

  [[nodiscard]] const std::filesystem::path& folder() const { return path_; }
  [[nodiscard]] bool readOnly() const { return readOnly_; }
  /// Whether the file system has no room for this user.
  [[nodiscard]] bool isFull() const;
  [[nodiscard]] std::uint64_t mostBytes() const { return mostBytes_; }

 private:
  DiskCache(std::filesystem::path path, UniqueDescriptor folder, std::uint64_t mostBytes, bool readOnly);
  bool remove(const EntryFile& entry) const;
  void removeLeftovers() const;

  std::filesystem::path path_;
  UniqueDescriptor folder_;
  std::uint64_t mostBytes_;
  bool readOnly_;
  SharedCounters counters_;
};

}  // namespace lathe::detail
