// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preludes that are not built in: made by the first compile that wants one, and kept in the cache's folder, so that a
// machine makes each of them once for a build of Lathe.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <lathe/cache.h>

#include "core/frontend/prelude/prelude.h"

namespace lathe::detail {

class DiskCache;

/// Thread-safe. The folder is opened when the first prelude is wanted.
class KeptPreludes final : public PreludeSource {
 public:
  explicit KeptPreludes(CacheConfig config);
  KeptPreludes(const KeptPreludes&) = delete;
  KeptPreludes& operator=(const KeptPreludes&) = delete;
  ~KeptPreludes();

  /// Uses the folder that `config` means from now on: a worker's own configuration has none.
  void keepIn(const CacheConfig& config);
  /// A prelude from memory, from the folder, or made now. Without a folder it is made at the second wish only: a
  /// compile that reads the headers as text takes a third of the time.
  std::shared_ptr<const std::string> find(const Dialect& dialect, PreludeScope scope) override;

 private:
  struct Entry {
    unsigned wishes = 0;
    bool failed = false;  ///< its headers do not compile: nobody tries again
    std::shared_ptr<const std::string> prelude;
  };

  const DiskCache* folder();
  std::shared_ptr<const std::string> fromFolder(const DiskCache& disk, const std::string& key, Entry& entry,
                                                const Dialect& dialect, PreludeScope scope);

  std::mutex mutex_;
  CacheConfig config_;
  std::optional<std::unique_ptr<DiskCache>> disk_;  ///< empty: not opened yet; null: there is none to write to
  std::map<std::string, Entry> entries_;
};

}  // namespace lathe::detail
