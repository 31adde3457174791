// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's diagnostics in the words of a job and its dialect.
#pragma once

#include <string>
#include <vector>

#include <lathe/sdk/dialect.h>

#include "core/frontend/frontend.h"

namespace lathe::detail {

/// Turns what Clang says of the appended names into what the user did wrong. `known`: what the source calls its
/// kernels.
void explainNames(std::vector<Diagnostic>& diagnostics, const Job& job, const sdk::Dialect& dialect,
                  const std::vector<std::string>& known);
/// Says in the dialect's words what Clang says in those of its own options.
void explainConstructs(std::vector<Diagnostic>& diagnostics, const sdk::Dialect& dialect);
/// Adds to errors of headers where these were looked for.
void explainHeaders(std::vector<Diagnostic>& diagnostics, const FrontendRequest& request, const sdk::Dialect& dialect);

}  // namespace lathe::detail
