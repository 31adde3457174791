// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache of compiles (docs/cache.md). A Compiler looks there before it compiles, and keeps what it compiled: in
// memory, and in a folder that all processes of a user share. What it gives is what a compile would give, byte for
// byte: the key covers the job and everything outside of it that decides the result, the files that were read and those
// that were looked for in vain among it. `Cache` is for looking into the folder and for keeping it in order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/export.h>
#include <lathe/result.h>

namespace lathe {

/// Settings of the cache. Sizes in bytes.
struct CacheConfig {
  /// Off, every job is compiled and nothing is kept; $LATHE_CACHE=off turns it off in all programs.
  bool enabled = true;
  /// Of entries on disk, made where it is missing, with access for the user only; empty: $LATHE_CACHE_DIR, else
  /// $XDG_CACHE_HOME/lathe, else $HOME/.cache/lathe. One that is not safe or cannot be made is not used.
  std::filesystem::path folder = {};
  /// Further folders that are only read, in this order, where the first has nothing: a team's, an installation's. They
  /// may belong to this user or root. What is found there is not copied.
  std::vector<std::filesystem::path> readOnlyFolders = {};
  /// Caches on a network, asked in this order where no folder has a result: http://HOST/PATH (GET and PUT, as for
  /// Bazel and ccache), redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], redis+unix:///SOCKET, with attributes after
  /// bars: "redis://cache|read-only|timeout=500". Empty: those of $LATHE_CACHE_REMOTE, separated by spaces. One that
  /// does not work is not used for a minute. Whoever can write there decides what compiles give.
  std::vector<std::string> remotes = {};
  /// Nothing is written to the folder, nor to a network; $LATHE_CACHE=readonly does the same.
  bool readOnly = false;
  bool disk = true;                                      ///< use the folder at all
  std::uint64_t diskBytes = std::uint64_t{2} << 30U;     ///< most in the folder; what was not used longest goes first
  std::uint64_t memoryBytes = std::uint64_t{64} << 20U;  ///< most in a Compiler's memory; 0: nothing
};

/// The place that the result of a compile comes from.
enum class CacheOrigin : std::uint8_t {
  compiled,
  memory,  ///< this Compiler had it
  disk,
  remote,  ///< a cache on a network had it
};
/// "compiled", "memory", "disk" or "remote".
[[nodiscard]] LATHE_API std::string_view cacheOriginName(CacheOrigin origin) noexcept;

/// A cache on a network as a folder's processes know it.
struct CacheRemote {
  std::string address;  ///< without password and attributes
  bool readOnly = false;
  std::string problem;  ///< the reason why it is not asked at present; empty: it is
};

/// Counts of what happened in a cache folder, over all processes since it was made or cleared.
struct CacheStats {
  std::string folder;
  std::uint64_t entries = 0;  ///< results
  std::uint64_t bytes = 0;    ///< of all files
  std::uint64_t diskBytes = 0;
  std::uint64_t memoryHits = 0;
  std::uint64_t diskHits = 0;
  std::uint64_t misses = 0;
  std::uint64_t stores = 0;
  std::uint64_t damaged = 0;         ///< entries that were found damaged, and removed
  std::uint64_t evicted = 0;         ///< files removed to make room
  std::uint64_t remoteHits = 0;      ///< results that came from a network
  std::uint64_t remoteFailures = 0;  ///< requests that a server did not answer as it should
  std::uint64_t uploads = 0;         ///< results that a server on a network took
  std::vector<CacheRemote> remotes = {};
};

/// A job that the folder has results for.
struct CacheEntry {
  std::string key;             ///< 64 hexadecimal digits
  std::string description;     ///< describe(job)
  std::uint64_t variants = 0;  ///< results, by the contents of the files that the source reads
  std::uint64_t bytes = 0;
  std::int64_t lastUse = 0;  ///< seconds since 1970
};

/// A cache folder. Move-only; safe to use from any number of threads, also while compilers use the folder.
class LATHE_API Cache {
 public:
  /// Opens the folder that `config` means, as a Compiler does. Errors: InvalidArgument, saying why there is none to
  /// use, or what is wrong with the address of a remote cache.
  [[nodiscard]] static Result<Cache> open(const CacheConfig& config = {});
  Cache(Cache&&) noexcept;
  Cache& operator=(Cache&&) noexcept;
  ~Cache();

  /// Nothing is written here, nor removed: the configuration, $LATHE_CACHE or the file system says so.
  [[nodiscard]] bool readOnly() const;
  [[nodiscard]] CacheStats stats() const;
  /// The jobs, what was used last first.
  [[nodiscard]] std::vector<CacheEntry> entries() const;
  /// Reads everything and removes what is damaged. The number of files that were.
  std::uint64_t verify();
  /// Removes what was not used longest until at most `bytes` are left, and what killed processes left behind. The
  /// number of files.
  std::uint64_t prune(std::uint64_t bytes);
  /// Removes everything and sets the counts to 0. The number of files.
  std::uint64_t clear();

  /// Writes all entries to one file. Their number. Errors: FileUnwritable.
  [[nodiscard]] Result<std::uint64_t> exportTo(const std::filesystem::path& file) const;
  /// Adds what exportTo() wrote; entries that are here stay as they are. The number of those that were new. Errors:
  /// FileUnreadable; InvalidArgument: the file is not such a one, or damaged (nothing of it is added then), or the
  /// folder is read-only; FileUnwritable: the folder took a part of them. Whoever can write the file decides what
  /// compiles give: import from those you trust.
  [[nodiscard]] Result<std::uint64_t> importFrom(const std::filesystem::path& file);

 private:
  struct Impl;
  explicit Cache(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The folder that `config` means, whether it exists or not; empty: no variable names one.
[[nodiscard]] LATHE_API std::filesystem::path cacheFolder(const CacheConfig& config = {});

}  // namespace lathe
