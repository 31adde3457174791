// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A look at an object's .eh_frame section before the process's unwinder gets it, which trusts every length and pointer
// in it whenever anything in the process throws.
#pragma once

#include <cstddef>
#include <span>

namespace lathe::detail {

/// Whether `table`, relocated and where it will stay, is a well-formed list of frames of `code` and of nothing else.
/// What compilers write for code without exceptions is known, and no more: no personality, no tables of handlers.
[[nodiscard]] bool isSoundUnwindTable(std::span<const std::byte> table, std::span<const std::byte> code) noexcept;

}  // namespace lathe::detail
