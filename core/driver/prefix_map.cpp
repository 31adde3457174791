// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/driver/prefix_map.h"

#include <ranges>

#include <fmt/format.h>

namespace lathe::detail {

std::string mappedPath(const std::string& path, const std::vector<std::string>& map) {
  for (const std::string& entry : map | std::views::reverse) {
    const std::size_t at = entry.find('=');
    if (path.starts_with(std::string_view(entry).substr(0, at))) return entry.substr(at + 1) + path.substr(at);
  }
  return path;
}

Job withMappedPaths(Job job) {
  const std::vector<std::string> map = std::exchange(job.options.prefixMap, {});
  if (map.empty()) return job;
  job.source.name = mappedPath(job.source.name, map);
  for (Source& further : job.furtherSources) further.name = mappedPath(further.name, map);
  for (std::string& folder : job.options.includeDirs) folder = mappedPath(folder, map);
  return job;
}

void describeOrigin(const Job& job, Provenance& out) {
  const Job known = withMappedPaths(job);
  out.jobHash = hashOf(known).hex();
  out.description = describe(known);
  out.sourceName = known.source.name;
}

Result<void> checkPrefixMap(const std::vector<std::string>& map) {
  for (const std::string& entry : map) {
    if (entry.find('=') != std::string::npos && !entry.starts_with('=')) continue;
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = fmt::format("prefix map: '{}' is not OLD=NEW", entry),
                 .hint = "name a folder and what stands for it, as in /home/me/project=."};
  }
  return {};
}

}  // namespace lathe::detail
