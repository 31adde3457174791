// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How Clang is set up. What decides whether a precompiled prelude fits (language, target, code generation) is the same
// for every job; what differs between jobs never reaches the prelude.
#pragma once

#include <string>
#include <vector>

#include <lathe/sdk/dialect.h>

#include "core/frontend/frontend.h"

namespace lathe::detail {

/// Arguments that are the same for every job of a dialect, but for the language standard.
std::vector<std::string> fixedArguments(const Dialect& dialect, const std::string& languageStandard);

/// All arguments of a job but its source's name. `prelude`: its path; empty: its headers are read as text.
std::vector<std::string> clangArguments(const FrontendRequest& request, const Dialect& dialect,
                                        const std::string& prelude);
/// The job's definitions that are not among those arguments, as text to be read behind a prelude that is read as text:
/// a prelude does not see the program's own names in either form.
std::string definitionsBehind(const FrontendRequest& request, const Dialect& dialect, const std::string& prelude);

}  // namespace lathe::detail
