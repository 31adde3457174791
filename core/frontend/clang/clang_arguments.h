// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How Clang is set up. What decides whether a precompiled prelude fits (language, target, code generation) is the same
// for every job; what differs between jobs never reaches the prelude.
#pragma once

#include <string>
#include <vector>

#include "clang/Frontend/CompilerInvocation.h"

#include <lathe/job.h>
#include <lathe/sdk/dialect.h>

namespace lathe::detail {

/// Arguments that are the same for every job of a dialect, but for the language standard.
std::vector<std::string> fixedArguments(const Dialect& dialect, const std::string& languageStandard);

/// An invocation for `mainFile` from cc1 arguments that do not name it; null if Clang refuses one (the engine has said
/// why).
std::shared_ptr<clang::CompilerInvocation> makeInvocation(const std::vector<std::string>& arguments,
                                                          const std::string& mainFile,
                                                          clang::DiagnosticsEngine& engine);

}  // namespace lathe::detail
