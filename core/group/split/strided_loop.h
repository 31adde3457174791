// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops `for (i = first + x; i < n; i += step)`, whose items leave them at the end only: what uniform_iterations.cpp
// rewrites.
#pragma once

#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class Loop;
}

namespace lathe::detail {

struct GroupFunction;
class GroupUniformity;
struct SplitPoint;

/// x plus a sum of what is the same for all items. Of terms that are extended, x is part of their sum.
struct XPlus {
  llvm::Instruction* id = nullptr;
  struct Term {
    llvm::Value* value;
    std::optional<llvm::Instruction::CastOps> extension;
  };
  llvm::SmallVector<Term, 2> terms;
  /// Whether the sum that is extended may wrap for some x, so that it is not x plus what it is for the first one.
  bool mayWrap = false;
};

/// A phi of a loop's head that counts: an XPlus at first, `step` more in each iteration.
struct Counter {
  llvm::PHINode* phi;
  XPlus first;
  llvm::Value* step;
};

/// What is known of a loop that can be rewritten.
struct StridedLoop {
  llvm::Loop* loop;
  std::vector<Counter> counters;  ///< the first one decides when the loop ends: it goes on while next < bound
  std::vector<llvm::PHINode*> carried;
  bool isSigned;
  llvm::Value* bound;
  llvm::BranchInst* guard;  ///< in front of the preheader: first < bound, or the same before both are extended
  llvm::BasicBlock* done;   ///< where items that had no iteration meet the others
  llvm::BasicBlock* away;   ///< from the guard to there, with nothing but what the guard could do; null: there is none
};

/// What `loop` is, if it is such a loop, innermost and without a split, and its body is fit for vectors. Moves to its
/// preheader what does not change in it.
std::optional<StridedLoop> readStridedLoop(llvm::Loop& loop, const GroupFunction& group,
                                           llvm::ArrayRef<SplitPoint> splits, const GroupUniformity& uniformity);

}  // namespace lathe::detail
