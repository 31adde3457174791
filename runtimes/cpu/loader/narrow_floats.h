// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions to bfloat16 that compiled code calls and libgcc has from GCC 13 on only.
#pragma once

#include <string_view>

namespace lathe::detail {

/// The address of __truncsfbf2 or __truncdfbf2; null for other names.
[[nodiscard]] void* narrowFloatFunction(std::string_view name);

}  // namespace lathe::detail
