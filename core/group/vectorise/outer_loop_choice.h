// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops over items are to take the iterations of a loop inside together (outer_loop.h).
#pragma once

#include <optional>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class Loop;
class LoopInfo;
class ScalarEvolution;
}  // namespace llvm

namespace lathe::detail {

struct OuterLoop {
  llvm::Loop* items = nullptr;
  llvm::Loop* iterations = nullptr;
  llvm::PHINode* x = nullptr;
  llvm::Instruction* next = nullptr;  ///< x + 1
  llvm::Value* end = nullptr;
  unsigned width = 0;  ///< of a strip
  /// Iterations that follow the first one, if that is known before the loop and the same for all items; else null: each
  /// item leaves in its own time.
  llvm::Value* more = nullptr;
  /// Of iterations that all items count alike: a phi that counts them, known before the loop, too.
  struct Counter {
    llvm::PHINode* phi;
    llvm::Value *start, *step;
  };
  llvm::SmallVector<Counter, 2> counters = {};
};

/// Whether a loop over lanes with `instruction` can be vector code.
bool isVectorisable(const llvm::Instruction& instruction, const llvm::TargetLibraryInfo& library);

/// Whether a register's lanes of an innermost loop over items cost half of what the items cost one by one.
bool isTwiceAsFast(const llvm::Loop& items, const llvm::TargetTransformInfo& costs,
                   const llvm::TargetLibraryInfo& library, llvm::ScalarEvolution& evolution);

/// What `loop` is if it is such a loop and taking iterations together is much faster than one by one. Numbers that it
/// needs for that are computed in front of the loop.
std::optional<OuterLoop> readOuterLoop(llvm::Loop& loop, const llvm::LoopInfo& loops,
                                       const llvm::TargetTransformInfo& costs, const llvm::TargetLibraryInfo& library,
                                       llvm::ScalarEvolution& evolution);

/// The id of a new loop over a strip's lanes: one vector for the strip. That lanes do not depend on each other is known
/// of the items.
llvm::MDNode* loopOfOneVector(const OuterLoop& loop);

}  // namespace lathe::detail
