// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The direction of loops' counters.
#include "targets/cuda/loops/count_down.h"

#include <optional>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace lathe::targets {
namespace {

/// A loop's counter that is compared with a bound at its end.
struct Counter {
  llvm::PHINode* number;
  llvm::Instruction* next;
  const llvm::APInt* step;
  llvm::ICmpInst* compare;
  llvm::Value* bound;
};

std::optional<Counter> counterOf(const llvm::Loop& loop) {
  Counter out{};
  llvm::BasicBlock* const latch = loop.getLoopLatch();
  if (!latch || !loop.getLoopPreheader() || !loop.isLoopExiting(latch)) return std::nullopt;
  const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
  out.compare = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!out.compare || !out.compare->isEquality() || !out.compare->hasOneUse()) return std::nullopt;
  // The loop goes on while they differ, not while they are equal.
  if ((out.compare->getPredicate() == llvm::ICmpInst::ICMP_NE) != (branch->getSuccessor(0) == loop.getHeader()))
    return std::nullopt;
  for (const unsigned side : {0U, 1U}) {
    out.next = llvm::dyn_cast<llvm::Instruction>(out.compare->getOperand(side));
    out.bound = out.compare->getOperand(1 - side);
    if (!out.next || !loop.contains(out.next) || !loop.isLoopInvariant(out.bound)) continue;
    if (!llvm::PatternMatch::match(
            out.next, llvm::PatternMatch::m_Add(llvm::PatternMatch::m_Value(), llvm::PatternMatch::m_APInt(out.step))))
      continue;
    out.number = llvm::dyn_cast<llvm::PHINode>(out.next->getOperand(0));
    if (out.number && out.number->getParent() == loop.getHeader() &&
        out.number->getIncomingValueForBlock(latch) == out.next)
      return out;
  }
  return std::nullopt;
}

/// True if the loop needs the number for nothing but its end, and what comes behind it, if anything, for its last
/// value.
bool onlyCounts(const Counter& counter, const llvm::Loop& loop) {
  const bool hasOneEnd = loop.getExitingBlock() != nullptr;
  return counter.number->hasOneUse() && llvm::all_of(counter.next->users(), [&](const llvm::User* user) {
           if (user == counter.number || user == counter.compare) return true;
           return hasOneEnd && !loop.contains(llvm::cast<llvm::Instruction>(user));
         });
}

bool countDown(llvm::Loop& loop) {
  const std::optional<Counter> counter = counterOf(loop);
  if (!counter || llvm::isa<llvm::Constant>(counter->bound) || !onlyCounts(*counter, loop)) return false;
  llvm::PHINode& number = *counter->number;
  llvm::BasicBlock& before = *loop.getLoopPreheader();
  llvm::Value* const first = number.getIncomingValueForBlock(&before);
  llvm::IRBuilder<> builder(before.getTerminator());
  const bool fromZero = llvm::PatternMatch::match(first, llvm::PatternMatch::m_Zero());
  llvm::Value* const turns = fromZero ? counter->bound : builder.CreateSub(counter->bound, first);
  builder.SetInsertPoint(&number);
  llvm::PHINode* const left = builder.CreatePHI(number.getType(), 2, "left");
  builder.SetInsertPoint(counter->compare);
  llvm::Value* const fewer = builder.CreateAdd(left, builder.getInt(-*counter->step));
  left->addIncoming(turns, &before);
  left->addIncoming(fewer, loop.getLoopLatch());
  counter->compare->setOperand(0, fewer);
  counter->compare->setOperand(1, llvm::ConstantInt::get(number.getType(), 0));
  counter->next->replaceUsesWithIf(counter->bound, [&](const llvm::Use& use) {
    return !loop.contains(llvm::cast<llvm::Instruction>(use.getUser()));
  });
  counter->next->replaceAllUsesWith(llvm::PoisonValue::get(number.getType()));
  counter->next->eraseFromParent();
  number.eraseFromParent();
  return true;
}

}  // namespace

bool countDown(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost()) changed |= countDown(*loop);
  return changed;
}

}  // namespace lathe::targets
