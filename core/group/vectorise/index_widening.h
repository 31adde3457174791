// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Index arithmetic in the width of addresses. `sext(row * width + first + x)` hides from the vectoriser that
// neighbouring items touch neighbouring memory, as the 32-bit sum could wrap; the same sum over extended operands shows
// it.
//
//     %i = add nsw i32 %base, %x          %b = sext i32 %base to i64
//     %w = sext i32 %i to i64       →     %e = sext i32 %x to i64
//                                         %w = add nsw i64 %b, %e
#pragma once

namespace llvm {
class Function;
}

namespace lathe::detail {

/// Widens the extended sums and products of `function` that depend on an item id along x and cannot wrap.
void widenIndices(llvm::Function& function);

}  // namespace lathe::detail
