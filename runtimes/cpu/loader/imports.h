// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an image says that it imports, compared with what the program gives.
#pragma once

#include <span>

#include <lathe/image.h>
#include <lathe/runtime/host_symbols.h>

namespace lathe::detail {

/// Errors: UndefinedFunction if `symbols` lacks some of `imports`, else ArgumentMismatch if some are of another kind,
/// type or size; a note for each.
[[nodiscard]] Result<void> checkImports(std::span<const Import> imports, const HostSymbols& symbols);

}  // namespace lathe::detail
