// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/driver/prefix_map.h"

#include <utility>

#include <fmt/format.h>

#include "core/frontend/files/path_map.h"

namespace lathe::detail {

Job withMappedPaths(Job job) {
  const PathMap map(std::exchange(job.options.prefixMap, {}));
  if (map.empty()) return job;
  forEachPath(job, [&](std::string& path) { path = map.mapped(path); });
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
