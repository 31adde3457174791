// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders that are not there are no error: a search path may name what is installed later.
#include "core/target/target_path.h"

#include <dlfcn.h>

#include <algorithm>
#include <tuple>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace lathe::detail {

std::vector<std::filesystem::path> targetPathOf(const sdk::Variables& variables) {
  const std::string value = variables.get("LATHE_TARGET_PATH");
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(value).split(parts, ':', -1, /*KeepEmpty=*/false);
  std::vector<std::filesystem::path> folders;
  for (const llvm::StringRef part : parts) folders.emplace_back(part.str());
  return folders;
}

std::filesystem::path installedTargetFolder() {
  static const char here = 0;
  Dl_info info;
  if (dladdr(&here, &info) == 0 || !info.dli_fname) return {};
  std::error_code ignored;
  // PREFIX/lib/liblathe.so, PREFIX/lib/x86_64-linux-gnu/liblathe.so or PREFIX/bin/lathe.
  std::filesystem::path prefix = std::filesystem::canonical(info.dli_fname, ignored).parent_path();
  for (int up = 0; up < 2 && prefix.has_relative_path(); ++up) {
    prefix = prefix.parent_path();
    auto folder = prefix / "share" / "lathe" / "targets";
    if (std::filesystem::is_directory(folder, ignored)) return folder;
  }
  return {};
}

std::vector<DescriptorPath> descriptorsIn(const std::filesystem::path& folder) {
  std::vector<DescriptorPath> found;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const auto& path = at->path();
    const std::string stem = path.stem().string();
    const auto inner = path / (path.filename().string() + ".yaml");
    std::error_code ignored;
    if (path.extension() == ".yaml" && at->is_regular_file(ignored)) {
      found.push_back({stem, path});
    } else if (std::filesystem::is_regular_file(inner, ignored)) {
      found.push_back({path.filename().string(), inner});
    }
  }
  std::ranges::sort(found,
                    [](const auto& a, const auto& b) { return std::tie(a.name, a.path) < std::tie(b.name, b.path); });
  return found;
}

}  // namespace lathe::detail
