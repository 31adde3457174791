// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computations that LLVM has moved away from their operands, towards their use.
#include "targets/cuda/pressure/sunk.h"

#include <algorithm>
#include <cstdint>

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

#include "targets/cuda/pressure/live_registers.h"

namespace lathe::targets {
namespace {

/// Instructions of one computation that is moved.
constexpr std::size_t largest = 96;
/// Registers that a computation must free. LLVM's indices of 64 bits often take one register, so that fewer may be
/// none.
constexpr std::uint64_t worthMoving = 4;

bool isMovable(const llvm::Instruction& instruction) {
  return !llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator() && !instruction.mayReadOrWriteMemory() &&
         llvm::isSafeToSpeculativelyExecute(&instruction);
}

/// What one block computes of results of other blocks.
struct Computation {
  llvm::SmallSetVector<llvm::Instruction*, 16> steps;
  llvm::SmallSetVector<llvm::Instruction*, 8> operands;

  bool isOnlyFor(const llvm::Instruction& result) const {
    return llvm::all_of(result.users(), [&](const llvm::User* user) {
      return steps.contains(const_cast<llvm::Instruction*>(llvm::cast<llvm::Instruction>(user)));
    });
  }
};

class Raising {
 public:
  Raising(llvm::Function& function, const LiveRegisters& lives)
      : function_(function), lives_(lives), dominators_(function), after_(function), loops_(dominators_) {}

  bool run() {
    bool changed = false;
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    for (llvm::BasicBlock* const block : order) {
      if (!canFreeRegisters(*block)) continue;
      // From the end: the last step of a computation comes before its parts.
      const llvm::SmallVector<llvm::Instruction*> last = movable(*block);
      for (llvm::Instruction* const instruction : llvm::reverse(last))
        if (instruction->getParent() == block) changed |= moveUp(*instruction);
    }
    return changed;
  }

 private:
  /// True if enough registers of other blocks' results end in `block`.
  bool canFreeRegisters(const llvm::BasicBlock& block) const {
    llvm::SmallPtrSet<const llvm::Instruction*, 16> seen;
    std::uint64_t ended = 0;
    for (const llvm::Instruction& instruction : block) {
      if (llvm::isa<llvm::PHINode>(instruction)) continue;
      for (const llvm::Value* const value : instruction.operand_values()) {
        const auto* const operand = llvm::dyn_cast<llvm::Instruction>(value);
        if (!operand || operand->getParent() == &block || !seen.insert(operand).second) continue;
        if (lives_.crossesCrowd(*operand) && isOnlyIn(*operand, block)) ended += registersOf(*operand);
      }
    }
    return ended >= worthMoving;
  }

  static bool isOnlyIn(const llvm::Instruction& result, const llvm::BasicBlock& block) {
    return llvm::all_of(result.users(), [&](const llvm::User* user) {
      return llvm::cast<llvm::Instruction>(user)->getParent() == &block;
    });
  }

  /// What is made in `block` of nothing that must stay there, in its order.
  static llvm::SmallVector<llvm::Instruction*> movable(llvm::BasicBlock& block) {
    llvm::SmallVector<llvm::Instruction*> found;
    llvm::SmallPtrSet<const llvm::Instruction*, 32> all;
    for (llvm::Instruction& instruction : block) {
      const bool isFree = llvm::all_of(instruction.operand_values(), [&](const llvm::Value* value) {
        const auto* const operand = llvm::dyn_cast<llvm::Instruction>(value);
        return !operand || operand->getParent() != &block || all.contains(operand);
      });
      if (!isFree || !isMovable(instruction)) continue;
      all.insert(&instruction);
      if (registersOf(instruction) > 0) found.push_back(&instruction);
    }
    return found;
  }

  /// Collects all that `last` is made of in its block, or returns false if that is too much or nothing.
  static bool collect(llvm::Instruction& last, Computation& found) {
    found.steps.insert(&last);
    for (std::size_t step = 0; step != found.steps.size(); ++step) {
      if (step == largest) return false;
      for (llvm::Value* const value : found.steps[step]->operand_values()) {
        auto* const operand = llvm::dyn_cast<llvm::Instruction>(value);
        if (!operand) continue;
        if (operand->getParent() == last.getParent())
          found.steps.insert(operand);
        else
          found.operands.insert(operand);
      }
    }
    return !found.operands.empty();
  }

  bool freesRegisters(const Computation& computation) const {
    std::uint64_t made = worthMoving, ended = 0;
    bool crosses = false;
    for (const llvm::Instruction* step : computation.steps)
      if (!computation.isOnlyFor(*step)) made += registersOf(*step);
    for (const llvm::Instruction* operand : computation.operands) {
      if (!computation.isOnlyFor(*operand)) continue;
      ended += registersOf(*operand);
      crosses = crosses || lives_.crossesCrowd(*operand);
    }
    return crosses && ended >= made;
  }

  /// True if a barrier stands on all ways from `first` to `last`, in one of the blocks that dominate it.
  bool hasBarrierBetween(const llvm::Instruction& first, const llvm::BasicBlock& last) const {
    const auto isBarrier = [](const llvm::Instruction& instruction) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      return call && call->isConvergent() && call->mayWriteToMemory();
    };
    const llvm::DomTreeNode* node = dominators_.getNode(&last);
    for (node = node->getIDom(); node && node->getBlock() != first.getParent(); node = node->getIDom())
      if (llvm::any_of(*node->getBlock(), isBarrier)) return true;
    return node && std::any_of(first.getIterator(), first.getParent()->end(), isBarrier);
  }

  bool moveUp(llvm::Instruction& last) {
    Computation computation;
    if (!collect(last, computation) || !freesRegisters(computation)) return false;
    llvm::Instruction* operand = computation.operands.front();
    for (llvm::Instruction* const other : computation.operands)
      if (dominators_.dominates(operand, other)) operand = other;
    llvm::BasicBlock *const here = last.getParent(), *const there = operand->getParent();
    // No more often than before, and never in vain, but for what a source has in front of a barrier.
    if (operand->isTerminator() || loops_.getLoopFor(here) != loops_.getLoopFor(there)) return false;
    if (!after_.dominates(here, there) && !hasBarrierBetween(*operand, *here)) return false;
    llvm::SmallVector<llvm::Instruction*> steps(computation.steps.begin(), computation.steps.end());
    llvm::sort(steps,
               [](const llvm::Instruction* one, const llvm::Instruction* other) { return one->comesBefore(other); });
    const llvm::BasicBlock::iterator place =
        llvm::isa<llvm::PHINode>(operand) ? there->getFirstInsertionPt() : std::next(operand->getIterator());
    for (llvm::Instruction* const step : steps) step->moveBefore(place);
    return true;
  }

  llvm::Function& function_;
  const LiveRegisters& lives_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree after_;
  llvm::LoopInfo loops_;
};

}  // namespace

bool raiseSunk(llvm::Function& function, const LiveRegisters& lives) {
  return Raising(function, lives).run();
}

}  // namespace lathe::targets
