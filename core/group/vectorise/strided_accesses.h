// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses with a stride in loops over items, and what else an item does with the same memory.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// Keeps LLVM's vectoriser from moving accesses of one item past each other. It makes one wide access of those that are
/// a constant stride apart (InterleavedAccessInfo, LLVM 22): loads at the place of the first, stores at that of the
/// last. Of a loop whose items do not depend on each other it takes that for the whole, and asks nothing of accesses
/// within an item. Where such a load follows a store that may be to the same place, or such a store is followed by an
/// access that may be, its address is hidden, and it is a gather or a scatter of its own.
///
///   before: s[x].a = load     s[x].h[k] = store     s[x].b = load
///   after:  s[x].a = load     s[x].h[k] = store     %p = freeze ptr &s[x].b   load %p
struct KeepStridedInOrder : llvm::PassInfoMixin<KeepStridedInOrder> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lathe::detail
