// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets of a subgroup's items as values of the group's function.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace lathe::detail {

/// Alignment of an element of the context's masks, which are of `type`.
[[nodiscard]] llvm::Align maskAlign(const llvm::Type& type);

/// The items that go on together behind a barrier of the subgroup with `mask` (0: whoever is here), where all of the
/// group's `items` are there. `index`: the item's; both have 64 bits. The last subgroup may have fewer items than
/// `size`.
[[nodiscard]] llvm::Value* convergedOfAll(llvm::IRBuilder<>& builder, llvm::Value& mask, llvm::Value& index,
                                          llvm::Value& items, unsigned size);

}  // namespace lathe::detail
