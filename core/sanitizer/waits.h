// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for other items.
#pragma once

#include <utility>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace lathe::detail {

/// A loop each of whose iterations is as the one before, unless somebody else writes what it reads.
struct WaitLoop {
  llvm::Instruction* read;  ///< the first of the reads that the loop's end depends on
  llvm::SmallVector<llvm::BasicBlock*, 2> latches;
  llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, 2> exits;  ///< edges
};

/// The innermost loops of `function` that wait, in its order.
[[nodiscard]] std::vector<WaitLoop> findWaits(llvm::Function& function);

}  // namespace lathe::detail
