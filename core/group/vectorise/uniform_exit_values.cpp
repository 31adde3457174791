// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values at the end of a loop over items are followed back to conditions and operands that do not change in it.
#include "core/group/vectorise/uniform_exit_values.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace lathe::detail {
namespace {

/// Choices that are followed back, one behind the other.
constexpr unsigned mostChoices = 4;

class ExitValues {
 public:
  ExitValues(llvm::Loop& loop, llvm::DominatorTree& dominators) : loop_(loop), dominators_(dominators) {}

  /// Whether anything changed.
  bool run() {
    bool changed = false;
    for (llvm::PHINode& phi : loop_.getLoopLatch()->phis()) {
      if (!usedOutside(phi)) continue;
      llvm::Value* const value = inFront(phi, mostChoices);
      if (!value) continue;
      phi.replaceUsesOutsideBlock(value, loop_.getLoopLatch());
      changed = true;
    }
    return changed;
  }

 private:
  /// Whether what follows the loop, or the next item, reads it.
  bool usedOutside(const llvm::PHINode& phi) const {
    return llvm::any_of(phi.users(), [&](const llvm::User* user) {
      const auto* const instruction = llvm::cast<llvm::Instruction>(user);
      return !loop_.contains(instruction) || instruction->getParent() == loop_.getHeader();
    });
  }

  bool hoist(llvm::Value& value) {
    bool changed = false;
    return loop_.makeLoopInvariant(&value, changed, loop_.getLoopPreheader()->getTerminator());
  }

  /// What `value` is when the loop has ended, computed in front of it; null if that cannot be told.
  llvm::Value* inFront(llvm::Value& value, unsigned choices) {
    if (loop_.isLoopInvariant(&value)) return &value;
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(&value)) return ofPhi(*phi, choices);
    if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(&value)) {
      if (choices == 0) return nullptr;
      return choose(*select->getCondition(), *select->getTrueValue(), *select->getFalseValue(), choices);
    }
    return hoist(value) ? &value : nullptr;
  }

  llvm::Value* ofPhi(llvm::PHINode& phi, unsigned choices) {
    // As the loop finds it: every item makes the same choice, so what one leaves the next one finds and leaves.
    if (phi.getParent() == loop_.getHeader()) return carried(phi);
    if (choices == 0 || phi.getNumIncomingValues() != 2) return nullptr;
    llvm::BasicBlock *const a = phi.getIncomingBlock(0), *const b = phi.getIncomingBlock(1);
    llvm::BasicBlock* const fork = dominators_.findNearestCommonDominator(a, b);
    if (!fork || !loop_.contains(fork)) return nullptr;
    auto* const branch = llvm::dyn_cast<llvm::BranchInst>(fork->getTerminator());
    if (!branch || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return nullptr;
    const auto leads = [&](unsigned side, llvm::BasicBlock* from) {
      const llvm::BasicBlockEdge edge(fork, branch->getSuccessor(side));
      return (from == fork && branch->getSuccessor(side) == phi.getParent()) || dominators_.dominates(edge, from);
    };
    const bool straight = leads(0, a) && leads(1, b);
    if (!straight && !(leads(0, b) && leads(1, a))) return nullptr;
    return choose(*branch->getCondition(), *phi.getIncomingValue(straight ? 0 : 1),
                  *phi.getIncomingValue(straight ? 1 : 0), choices);
  }

  /// The start of a header's phi that the loop's items hand on as it is or replace all alike; null for others.
  llvm::Value* carried(llvm::PHINode& phi) {
    const auto* const next = llvm::dyn_cast<llvm::PHINode>(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
    const bool onlyHandedOn = llvm::all_of(phi.users(), [&](const llvm::User* user) { return user == next; });
    const bool handed = next && next->getParent() == loop_.getLoopLatch() && onlyHandedOn;
    return handed ? phi.getIncomingValueForBlock(loop_.getLoopPreheader()) : nullptr;
  }

  llvm::Value* choose(llvm::Value& condition, llvm::Value& ifTrue, llvm::Value& ifFalse, unsigned choices) {
    if (!hoist(condition)) return nullptr;
    llvm::Value* const a = inFront(ifTrue, choices - 1);
    llvm::Value* const b = a ? inFront(ifFalse, choices - 1) : nullptr;
    if (!b) return nullptr;
    if (a == b) return a;
    return llvm::IRBuilder<>(loop_.getLoopPreheader()->getTerminator()).CreateSelect(&condition, a, b);
  }

  llvm::Loop& loop_;
  llvm::DominatorTree& dominators_;
};

}  // namespace

llvm::PreservedAnalyses UniformExitValuesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!llvm::findOptionMDForLoop(loop, "llvm.loop.parallel_accesses")) continue;
    if (!loop->getLoopPreheader() || !loop->getLoopLatch() || loop->getExitingBlock() != loop->getLoopLatch()) continue;
    changed |= ExitValues(*loop, dominators).run();
  }
  return changed ? llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
