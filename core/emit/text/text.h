// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of a module as text of the C family.
#pragma once

#include <string>

#include "llvm/Support/Error.h"

namespace lathe::detail {

struct Lowering;

/// Writes the lowered module in the language that the descriptor's `text` spells. Errors: Unsupported, with everything
/// that the language has no words for.
[[nodiscard]] llvm::Expected<std::string> writeText(Lowering& lowering);

}  // namespace lathe::detail
