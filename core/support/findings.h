// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several findings as the one error that a Result holds.
#pragma once

#include <string>
#include <vector>

#include <lathe/result.h>

namespace lathe::detail {

/// The error that stands for `findings`: code, text, place, notes and hint of the first that is an error, its message
/// ended by "(and N more errors)", and all of them as diagnostics. There must be an error among them.
[[nodiscard]] Error combined(std::vector<Diagnostic> findings, std::string stage, std::string target = {});

}  // namespace lathe::detail
