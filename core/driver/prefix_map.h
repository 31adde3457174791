// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options::prefixMap outside of Clang: the names by which an image knows its job.
#pragma once

#include <string>
#include <vector>

#include <lathe/image.h>
#include <lathe/job.h>

namespace lathe::detail {

/// The job as it is where NEW is OLD already: two jobs in different folders are then one.
[[nodiscard]] Job withMappedPaths(Job job);
/// Writes into `out` what an image says of its job: hash, description and source, by their mapped names.
void describeOrigin(const Job& job, Provenance& out);
/// Errors: InvalidArgument, for what has no '='.
[[nodiscard]] Result<void> checkPrefixMap(const std::vector<std::string>& map);

}  // namespace lathe::detail
