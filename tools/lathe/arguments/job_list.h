// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The jobs of a batch, from a YAML or JSON file (docs/tool.md). Each has the keys of a job's JSON, any of which may be
// missing; the source may be the name of a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lathe/job.h>

namespace lathe::tool {

/// Jobs that make one file: an image, or, of several targets, a fat image.
struct ListedJob {
  std::string name;
  std::string output;     ///< relative to the folder of the results
  std::vector<Job> jobs;  ///< one for each target
  /// A source cannot be read, so that there is nothing to compile; the other jobs of the list are made all the same.
  std::optional<Error> unreadable = {};
};

/// The file beside the results that no job may make.
inline constexpr const char* indexName = "index.jsonl";

/// Reads `path`; the files that it names are relative to its folder. Errors: FileUnreadable; InvalidArgument, with the
/// line or the job and the key.
[[nodiscard]] Result<std::vector<ListedJob>> readJobList(const std::string& path);

}  // namespace lathe::tool
