// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings as SARIF 2.1.0 (OASIS), the form that code hosts and editors read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lathe/result.h>

#include "tools/lathe/output/output.h"

namespace lathe::tool {

/// One run of the tool with all its findings. `source` is the place of findings that have none: readers drop results
/// without a file. Relative paths stay relative.
[[nodiscard]] Json sarif(const std::vector<Diagnostic>& findings, const std::optional<Error>& error,
                         const std::string& source, ExitCode code);

}  // namespace lathe::tool
