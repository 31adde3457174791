// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of a module as text of the C family.
#pragma once

#include <string>
#include <vector>

#include <lathe/result.h>

namespace lathe::detail {

struct Lowering;

/// Writes the lowered module in the language that the descriptor's `text` spells. Everything that the language has no
/// words for is added to `found`, as Unsupported with its place; the text is good if nothing is.
[[nodiscard]] std::string writeText(Lowering& lowering, std::vector<Diagnostic>& found);

/// Adds to the lowering's diagnostics what writeText() finds on lines that none of them names.
void addMissingWords(Lowering& lowering);

}  // namespace lathe::detail
