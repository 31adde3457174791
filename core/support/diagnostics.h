// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several diagnostics as the one error that a Result holds.
#pragma once

#include <string>
#include <vector>

#include <lathe/result.h>

namespace lathe::detail {

/// The error that stands for `diagnostics`: code, text, place, notes and hint of the first that is an error, its
/// message ended by "(and N more errors)", and all of them as diagnostics. There must be an error among them.
[[nodiscard]] Error combined(std::vector<Diagnostic> diagnostics, std::string stage, std::string target = {});

/// Puts findings in the order of the source, what has no place last, and drops those that say the same of one place.
void sortFindings(std::vector<Diagnostic>& findings);

/// `last`, which ended the work, after what was found before it and not yet reported: one error for all of them.
[[nodiscard]] Error withDiagnostics(Error last, std::vector<Diagnostic> before);
/// `error` with what the stages before it left.
[[nodiscard]] Error withDumps(Error error, std::vector<StageDump> dumps);

}  // namespace lathe::detail
