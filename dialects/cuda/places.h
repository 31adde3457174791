// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places in source files, which stay the same when a source is read again.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "clang/Basic/SourceLocation.h"

namespace clang {
class SourceManager;
}

namespace lathe::dialects {

class Places {
 public:
  /// True if the place was not among them.
  bool add(const clang::SourceManager& sources, clang::SourceLocation at);
  [[nodiscard]] bool has(const clang::SourceManager& sources, clang::SourceLocation at);
  [[nodiscard]] bool empty() const { return offsets_.empty(); }

 private:
  /// By file: where the text is, or the macro that it comes from, and where in the macro's file it is.
  using Offsets = std::set<std::pair<unsigned, unsigned>>;
  std::map<std::string, Offsets, std::less<>> offsets_;
  clang::FileID file_;  ///< that has() was asked of last
  const Offsets* inFile_ = nullptr;
};

}  // namespace lathe::dialects
