// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidate paths of descriptors: where on a machine a file or a folder of a toolkit may be.
#pragma once

#include <string>
#include <vector>

#include <lathe/sdk/variables.h>

namespace lathe::detail {

using sdk::Variables;

/// The environment variable that `path` begins with; empty: none.
[[nodiscard]] std::string variableOf(const std::string& path);

/// `path` with the variable's value in place of a leading $NAME or ${NAME}; empty if it is not set.
[[nodiscard]] std::string expandedPath(const std::string& path, const Variables& variables);

/// The folders that `path` names once expanded, where one component may have a `*` for any text; the last in the order of
/// names first, which is the newest of versions. Empty if there is none.
[[nodiscard]] std::vector<std::string> matchingFolders(const std::string& path, const Variables& variables);

}  // namespace lathe::detail
