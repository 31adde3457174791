// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options::prefixMap, applied to paths: as compilers do for what they write, and to find out whether two folders are
// the same but for their place.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <lathe/job.h>

namespace lathe::detail {

class PathMap {
 public:
  PathMap() = default;
  /// `entries`: "OLD=NEW"; checkPrefixMap() refuses others, which fit nothing here.
  explicit PathMap(llvm::ArrayRef<std::string> entries);
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  /// `path` with the last entry that fits its beginning applied.
  [[nodiscard]] std::string mapped(llvm::StringRef path) const;
  /// `path` with that entry's position for OLD: what another machine, whose map has other folders in the same places,
  /// writes for the same file of its own.
  [[nodiscard]] std::string shared(llvm::StringRef path) const;
  /// The path on this machine of what shared() gave here or elsewhere. Nothing: it would be mapped in another way here.
  [[nodiscard]] std::optional<std::string> local(llvm::StringRef shared) const;
  /// What shared() gave, for people: by the NEW of its entry.
  [[nodiscard]] std::string shown(llvm::StringRef shared) const;
  /// The OLD of an entry.
  [[nodiscard]] const std::string& folder(std::size_t entry) const { return entries_[entry].folder; }
  [[nodiscard]] const std::string& name(std::size_t entry) const { return entries_[entry].name; }

 private:
  struct Entry {
    std::string folder;  ///< OLD
    std::string name;    ///< NEW
  };
  [[nodiscard]] std::optional<std::size_t> entryOf(llvm::StringRef path) const;

  std::vector<Entry> entries_;
};

/// Calls `change` with each path that `job` holds: names of sources, and folders of headers.
void forEachPath(Job& job, llvm::function_ref<void(std::string&)> change);

}  // namespace lathe::detail
