// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidate paths of descriptors.
#include "core/descriptor/candidate_path.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string_view>

namespace lathe::detail {

namespace fs = std::filesystem;

std::string variableOf(const std::string& path) {
  if (!path.starts_with('$')) return {};
  std::string name = path.substr(1, std::min(path.find('/'), path.size()) - 1);
  if (name.starts_with('{') && name.ends_with('}')) name = name.substr(1, name.size() - 2);
  return name;
}

std::string expandedPath(const std::string& path, const Variables& variables) {
  if (!path.starts_with('$')) return path;
  const std::size_t end = std::min(path.find('/'), path.size());
  const std::string value = variables.get(variableOf(path));
  return value.empty() ? value : value + path.substr(end);
}

std::vector<std::string> matchingFolders(const std::string& path, const Variables& variables) {
  const std::string full = expandedPath(path, variables);
  std::error_code unknown;
  const std::size_t star = full.find('*');
  if (star == std::string::npos) {
    if (full.empty() || !fs::is_directory(full, unknown)) return {};
    return {full};
  }
  const std::size_t slash = full.rfind('/', star);
  if (slash == std::string::npos) return {};
  const std::size_t end = std::min(full.find('/', star), full.size());
  const std::string_view before = std::string_view(full).substr(slash + 1, star - slash - 1);
  const std::string_view behind = std::string_view(full).substr(star + 1, end - star - 1);
  std::vector<std::string> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(full.substr(0, slash), unknown)) {
    const std::string name = entry.path().filename().string();
    if (name.size() < before.size() + behind.size() || !name.starts_with(before) || !name.ends_with(behind)) continue;
    std::string found = entry.path().string() + full.substr(end);
    if (fs::is_directory(found, unknown)) out.push_back(std::move(found));
  }
  std::ranges::sort(out, std::greater());
  return out;
}

}  // namespace lathe::detail
