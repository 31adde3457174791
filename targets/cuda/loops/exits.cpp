// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One branch for two exits of a loop: LLVM's loop rotation brings the header behind the latch, and its folding of
// branches joins the two.
#include "targets/cuda/loops/exits.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace lathe::targets {
namespace {

/// Operations of a header that a turn may compute in vain.
constexpr unsigned most = 8;

/// The block outside of `loop` that `block` branches to on a condition; null: it does not end so.
llvm::BasicBlock* exitOf(const llvm::Loop& loop, const llvm::BasicBlock& block) {
  const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional()) return nullptr;
  llvm::BasicBlock* const first = branch->getSuccessor(0);
  llvm::BasicBlock* const second = branch->getSuccessor(1);
  if (loop.contains(first) == loop.contains(second)) return nullptr;
  return loop.contains(first) ? second : first;
}

bool isCheap(const llvm::BasicBlock& header, const llvm::TargetTransformInfo& costs) {
  unsigned count = 0;
  for (const llvm::Instruction& instruction : header) {
    if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator()) continue;
    if (++count > most || !llvm::isSafeToSpeculativelyExecute(&instruction) ||
        costs.getInstructionCost(&instruction, llvm::TargetTransformInfo::TCK_SizeAndLatency) >
            llvm::TargetTransformInfo::TCC_Basic)
      return false;
  }
  return true;
}

/// True if `one` and `other` are equal where the branch of `block` goes to `to`.
bool areEqualOnEdge(const llvm::BasicBlock& block, const llvm::BasicBlock& to, const llvm::Value* one,
                    const llvm::Value* other) {
  const auto* const branch = llvm::cast<llvm::BranchInst>(block.getTerminator());
  const auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (!compare || !compare->isEquality()) return false;
  const bool isTaken = branch->getSuccessor(0) == &to;
  if (isTaken != (compare->getPredicate() == llvm::ICmpInst::ICMP_EQ)) return false;
  return (compare->getOperand(0) == one && compare->getOperand(1) == other) ||
         (compare->getOperand(0) == other && compare->getOperand(1) == one);
}

/// What `value`, which leaves through the header, is when the header comes behind the latch.
llvm::Value* oneTurnLater(const llvm::Loop& loop, llvm::Value* value) {
  auto* const phi = llvm::dyn_cast<llvm::PHINode>(value);
  if (phi && phi->getParent() == loop.getHeader()) return phi->getIncomingValueForBlock(loop.getLoopLatch());
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return instruction && loop.contains(instruction) ? nullptr : value;
}

/// Gives `exit` the same values from the latch as from the header behind it, where they are equal. False, and nothing
/// is changed: they are not.
bool unifyValues(const llvm::Loop& loop, llvm::BasicBlock& exit) {
  llvm::BasicBlock* const header = loop.getHeader();
  llvm::BasicBlock* const latch = loop.getLoopLatch();
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::Value*>> changes;
  for (llvm::PHINode& phi : exit.phis()) {
    llvm::Value* const later = oneTurnLater(loop, phi.getIncomingValueForBlock(header));
    llvm::Value* const own = phi.getIncomingValueForBlock(latch);
    if (!later || (later != own && !areEqualOnEdge(*latch, exit, later, own))) return false;
    changes.emplace_back(&phi, later);
  }
  for (const auto& [phi, value] : changes) phi->setIncomingValueForBlock(latch, value);
  return true;
}

struct Analyses {
  explicit Analyses(llvm::Function& function, llvm::TargetMachine& machine)
      : dominators(function),
        loops(dominators),
        assumptions(function),
        costs(machine.getTargetTransformInfo(function)),
        query(function.getDataLayout(), nullptr, &dominators, &assumptions) {}
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::AssumptionCache assumptions;
  llvm::TargetTransformInfo costs;
  llvm::SimplifyQuery query;
};

/// The latches of loops whose branches did not join, which stay as they are from then on.
using Refused = llvm::SmallPtrSet<const llvm::BasicBlock*, 4>;

/// True if the code has changed.
bool mergeExits(llvm::Loop& loop, Analyses& analyses, Refused& refused) {
  llvm::BasicBlock* const header = loop.getHeader();
  llvm::BasicBlock* const latch = loop.getLoopLatch();
  if (!latch || latch == header || !loop.isInnermost() || refused.contains(latch)) return false;
  llvm::BasicBlock* const exit = exitOf(loop, *header);
  if (!exit || exit != exitOf(loop, *latch) || !isCheap(*header, analyses.costs)) return false;
  llvm::simplifyLoop(&loop, &analyses.dominators, &analyses.loops, nullptr, &analyses.assumptions, nullptr, false);
  llvm::BasicBlock* const own = exitOf(loop, *header);
  if (!own || own != exitOf(loop, *latch) || !unifyValues(loop, *own)) return false;
  if (!llvm::LoopRotation(&loop, &analyses.loops, &analyses.costs, &analyses.assumptions, &analyses.dominators, nullptr,
                          nullptr, analyses.query, /*RotationOnly=*/true, /*Threshold=*/2 * most, /*IsUtilMode=*/true))
    return false;
  llvm::BasicBlock* const last = loop.getLoopLatch();
  if (!last) return true;
  llvm::FoldSingleEntryPHINodes(last);
  llvm::DomTreeUpdater updater(analyses.dominators, llvm::DomTreeUpdater::UpdateStrategy::Eager);
  // Rotation gives each way out a block of its own, and the latch's what the loop's metadata says.
  llvm::SmallVector<llvm::BasicBlock*> ways;
  loop.getUniqueExitBlocks(ways);
  for (llvm::BasicBlock* way : ways) {
    auto* const out = llvm::dyn_cast<llvm::BranchInst>(way->getTerminator());
    if (!out || !out->isUnconditional() || way->sizeWithoutDebug() != 1) continue;
    out->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
    llvm::TryToSimplifyUncondBranchFromEmptyBlock(way, &updater);
  }
  auto* const branch = llvm::dyn_cast<llvm::BranchInst>(last->getTerminator());
  if (!branch || !branch->isConditional() ||
      !llvm::foldBranchToCommonDest(branch, &updater, nullptr, &analyses.costs, most))
    refused.insert(last);
  return true;
}

}  // namespace

void mergeExits(llvm::Module& module, llvm::TargetMachine& machine) {
  for (llvm::Function& function : module) {
    Refused refused;
    // Blocks come and go, and with them what is known of other loops.
    for (bool again = !function.isDeclaration(); again;) {
      Analyses analyses(function, machine);
      again = llvm::any_of(analyses.loops.getLoopsInPreorder(),
                           [&](llvm::Loop* loop) { return mergeExits(*loop, analyses, refused); });
    }
  }
}

}  // namespace lathe::targets
