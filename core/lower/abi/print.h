// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printing by the target's own printf.
#pragma once

namespace lathe::detail {

struct Lowering;

/// Calls of the device ABI's print become the target's printf, where the descriptor names one. What it cannot print is
/// among the diagnostics.
void lowerPrint(Lowering& lowering);

}  // namespace lathe::detail
