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
  /// A prelude from memory, from the folder, or made now. Where it cannot be written it is made at the second wish
  /// only: a compile that reads the headers as text takes a third of the time. Nobody waits for what another thread
  /// makes, nor holds a lock while Clang runs, which a crash that is contained would leave locked.
  std::shared_ptr<const std::string> find(const Dialect& dialect, PreludeScope scope) override;

 private:
  struct Entry {
    unsigned wishes = 0;
    /// Somebody makes it, or did not live to tell, or its headers do not compile: all others read the headers as text.
    bool isTaken = false;
    std::shared_ptr<const std::string> prelude;
  };

  /// Null: there is none.
  const DiskCache* folder();

  std::mutex mutex_;
  CacheConfig config_;
  std::optional<std::unique_ptr<DiskCache>> disk_;  ///< empty: not opened yet
  std::map<std::string, Entry> entries_;
};

}  // namespace lathe::detail
