// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiling through the cache, in two steps as in ccache: the key of what is known beforehand leads to the lists of
// files that compiles of it learned of, and the list that still holds to a result.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <lathe/cache.h>
#include <lathe/compiler.h>

#include "core/cache/compile_key.h"
#include "core/cache/disk_cache.h"
#include "core/cache/remote_tier.h"
#include "core/frontend/files/file_looks.h"
#include "core/process/background.h"

namespace lathe::detail {

/// One outcome of a key: what its compile learned of files, and the entry with the result.
struct CacheVariant {
  FileLooks files;
  std::string result;  ///< the key of the entry, 32 bytes
};
template <>
struct Description<CacheVariant> {
  static constexpr auto fields =
      std::tuple(field("files", &CacheVariant::files), field("result", &CacheVariant::result));
};

/// All outcomes of a key that are known, the latest first.
struct CacheInputs {
  std::string description;  ///< describe(job)
  CompileKey key;
  std::vector<CacheVariant> variants;
};
template <>
struct Description<CompileKey> {
  static constexpr auto fields = std::tuple(field("job", &CompileKey::job), field("parts", &CompileKey::parts));
};
template <>
struct Description<CacheInputs> {
  static constexpr auto fields = std::tuple(field("description", &CacheInputs::description),
                                            field("key", &CacheInputs::key), field("variants", &CacheInputs::variants));
};

/// The entry of kind `inputs` under that key, or nothing; `why` as for DiskCache::read().
[[nodiscard]] std::optional<CacheInputs> readInputs(const DiskCache& disk, std::string_view key,
                                                    std::string* why = nullptr);
[[nodiscard]] std::optional<CacheInputs> readInputs(RemoteTier& remote, std::string_view key);

/// Whether a compiler with these settings, in this environment, has a folder.
[[nodiscard]] bool usesFolder(const CacheConfig& config);
/// Opens it. Null, with the reason in `why`: there is none that is safe to use.
[[nodiscard]] std::unique_ptr<DiskCache> openFolder(const CacheConfig& config, std::string& why);

/// A Compiler's cache. Thread-safe.
class CompileCache {
 public:
  /// `remotes`: of `config`.
  CompileCache(const CacheConfig& config, std::vector<RemoteAddress> remotes);

  /// Compiles where there is no result yet. It fills in what the compile learned of files.
  using Compile = std::function<Result<CompileResult>(FileLooks&)>;
  /// Of one call of get().
  struct Wish {
    /// The compile may fork: no thread of the cache runs meanwhile.
    llvm::function_ref<bool()> mayFork;
    bool durable = false;       ///< as CompileRequest::durable
    std::stop_token stop = {};  ///< as CompileRequest::stop: nobody waits for another's compile any more
  };
  /// The result for `key`: from the cache, or `compile`'s. Of several threads and processes that ask at once, one
  /// compiles. What it gave is written to disk and uploaded on a thread of its own, or before this returns where the
  /// compile may fork or the result is to be durable.
  [[nodiscard]] Result<CompileResult> get(const CompileKey& key, const Job& job, const MachineNow& now,
                                          const Wish& wish, const Compile& compile);
  [[nodiscard]] bool enabled() const { return enabled_; }
  [[nodiscard]] const DiskCache* disk() const { return disk_.get(); }
  [[nodiscard]] const RemoteTiers& remotes() const { return remotes_; }

 private:
  using Outcome = Result<CompileResult>;
  struct Kept {
    FileLooks files;
    Outcome outcome;
  };
  struct Remembered {
    std::string key;
    std::shared_ptr<const Kept> kept;
    std::uint64_t bytes = 0;
  };
  /// A compile that others may wait for.
  struct Flight {
    bool landed = false;
  };

  /// get(), but for what a hit still waits for.
  Outcome find(const CompileKey& key, const Job& job, const MachineNow& now, const Wish& wish, const Compile& compile);
  std::optional<Outcome> fromMemory(const std::string& key, const MachineNow& now);
  /// From the folder, then from those that are only read.
  std::optional<Outcome> fromDisk(const std::string& key, const MachineNow& now);
  std::optional<Outcome> fromFolder(const DiskCache& disk, const std::string& key, const MachineNow& now);
  /// A result that a network had, with what its compile learned of files; null: none had it.
  std::shared_ptr<const Kept> fromRemotes(const std::string& key, const MachineNow& now);
  void remember(const std::string& key, std::shared_ptr<const Kept> kept);
  /// Writes it to the folder, and to networks if it does not come from there.
  void store(const std::string& digest, const CompileKey& key, const std::string& description, const Kept& kept,
             bool isRemote) const;
  void count(CacheCount what) const;

  bool enabled_;
  std::uint64_t memoryBytes_;
  std::unique_ptr<DiskCache> disk_;
  std::vector<std::unique_ptr<DiskCache>> readOnly_;  ///< further folders
  RemoteTiers remotes_;

  std::mutex mutex_;
  std::condition_variable_any landed_;
  std::map<std::string, std::shared_ptr<Flight>> flights_;
  std::list<Remembered> remembered_;  ///< what was used last first
  std::multimap<std::string, std::list<Remembered>::iterator> index_;
  KeyDigests digests_;
  std::uint64_t rememberedBytes_ = 0;
  Background writer_;  ///< last, so that it ends before what it writes to
};

}  // namespace lathe::detail
