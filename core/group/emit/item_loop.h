// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop nest that runs one region over the items of a group: z, y, x, with x innermost, each counted from 0 in 64
// bits and tested at its end, because a group is never empty.
#pragma once

#include <array>

#include "llvm/IR/IRBuilder.h"

namespace lathe::detail {

struct ItemLoop {
  llvm::BasicBlock* before = nullptr;  ///< runs once; ends in a branch to the nest
  llvm::BasicBlock* row = nullptr;     ///< begins each run along x; ends in a branch to `item`
  llvm::BasicBlock* item = nullptr;    ///< begins each item; to be completed with a terminator
  llvm::BasicBlock* latch = nullptr;   ///< ends each item; insert before its terminator
  llvm::BasicBlock* after = nullptr;   ///< runs once; to be completed with a terminator
  std::array<llvm::Value*, 3> id{};    ///< i32, by axis
  std::array<llvm::Value*, 3> wide{};  ///< the same as i64
  llvm::Value* index = nullptr;        ///< i64: position of the item among all of its group
  llvm::MDNode* accesses = nullptr;    ///< access group: no item depends on what another does to memory there
};

/// Appends the nest to `function`; `sizes` are the group's extents as i64.
ItemLoop makeItemLoop(llvm::Function& function, const std::array<llvm::Value*, 3>& sizes, const llvm::Twine& name);

/// Restricts the innermost loop to [low, high) of x; both i64, defined before or in `loop.row`, 0 ≤ low, high ≤ size.
/// An empty range runs no item.
void setItemRange(const ItemLoop& loop, llvm::Value& low, llvm::Value& high);

/// Marks the innermost loop for the vectoriser, or as one to leave alone. Call when the body is complete.
void annotateItemLoop(const ItemLoop& loop, bool vectorise);

}  // namespace lathe::detail
