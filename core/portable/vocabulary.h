// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names with which portable IR marks entry points and variables (docs/portable-ir.md), and its address spaces.
#pragma once

#include <lathe/sdk/portable_ir.h>

namespace lathe::detail {

namespace attribute = sdk::attribute;

/// Portable IR's address space of group-shared variables.
inline constexpr unsigned portableGroupSpace = 3;

}  // namespace lathe::detail
