// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options by which a compile writes what other code calls its result by: headers, a manifest, a skeleton.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <lathe/image.h>

namespace lathe::tool {

class InterfaceOptions {
 public:
  void configure(CLI::App& app);
  /// True if a header for C or C++ or a manifest was asked for.
  /// The C header's file; may be empty.
  [[nodiscard]] const std::string& cHeader() const { return cHeader_; }
  [[nodiscard]] bool any() const { return !cHeader_.empty() || !cxxHeader_.empty() || !manifest_.empty(); }
  [[nodiscard]] bool hasSkeleton() const { return !cxxSkeleton_.empty() || !cSkeleton_.empty(); }
  /// The files that write() writes; empty: not asked for.
  [[nodiscard]] std::vector<std::string> outputs() const;
  /// Writes what was asked for, of an image for `target` made of the file `source`. What has its text already keeps its
  /// time. Errors: FormatUnsupported, FileUnwritable.
  [[nodiscard]] Result<void> write(const Image& image, const std::string& target, const std::string& source) const;

 private:
  [[nodiscard]] Result<std::string> skeletonOf(const Image& image, const std::string& source, bool isC) const;

  std::string cHeader_;
  std::string cxxHeader_;
  std::string cxxSkeleton_;
  std::string cSkeleton_;
  std::string skeletonNamespace_;
  std::string manifest_;
};

}  // namespace lathe::tool
