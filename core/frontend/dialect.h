// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of a source's dialect (<lathe/sdk/dialect.h>) among those built in and those of plugins.
#pragma once

#include <span>
#include <string>

#include <lathe/sdk/dialect.h>

namespace lathe::detail {

struct Descriptor;

/// The language standard that a job's source is read as.
[[nodiscard]] std::string standardOf(const Options& options, const Dialect& dialect);

/// Source number `i` of a job: Job::source, then the further ones.
inline const Source& sourceOf(const Job& job, std::size_t i) {
  return i == 0 ? job.source : job.furtherSources[i - 1];
}

/// The dialect the source asks for or its name implies, of those in `known` that the target takes; null for IR. Errors:
/// InvalidArgument with the nearest names.
Result<const Dialect*> dialectOf(const Source& source, const Descriptor& descriptor,
                                 std::span<const Dialect* const> known);

}  // namespace lathe::detail
