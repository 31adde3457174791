// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/lower/passes/bit_counts.h"

#include <optional>
#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace lathe::detail {
namespace {

using namespace llvm::PatternMatch;

/// A sum that grows by a constant in each round.
struct Counter {
  llvm::PHINode* before;
  llvm::Value* start;
  llvm::Instruction* after;
  llvm::ConstantInt* step;
};

struct CountingLoop {
  llvm::BasicBlock* block;
  llvm::BasicBlock* exit;
  llvm::Value* first;       ///< whose bits are counted
  llvm::Instruction* rest;  ///< without the lowest bit
  std::vector<Counter> counters;
};

bool isUsedOutside(const llvm::Instruction& value) {
  return llvm::any_of(value.users(), [&](const llvm::User* user) {
    return llvm::cast<llvm::Instruction>(user)->getParent() != value.getParent();
  });
}

std::optional<CountingLoop> countingLoop(const llvm::Loop& loop) {
  llvm::BasicBlock* const block = loop.getHeader();
  llvm::BasicBlock* const preheader = loop.getLoopPreheader();
  auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
  if (loop.getNumBlocks() != 1 || !preheader || !branch || !branch->isConditional()) return std::nullopt;
  CountingLoop out{.block = block, .exit = nullptr, .first = nullptr, .rest = nullptr, .counters = {}};
  llvm::CmpPredicate predicate;
  llvm::Value* rest = nullptr;
  if (!match(branch->getCondition(), m_ICmp(predicate, m_Value(rest), m_Zero()))) return std::nullopt;
  const bool leavesAtZero = predicate == llvm::ICmpInst::ICMP_EQ;
  if (!leavesAtZero && predicate != llvm::ICmpInst::ICMP_NE) return std::nullopt;
  if (branch->getSuccessor(leavesAtZero ? 1 : 0) != block) return std::nullopt;
  out.exit = branch->getSuccessor(leavesAtZero ? 0 : 1);
  llvm::Value* bits = nullptr;
  if (!match(rest, m_c_And(m_Value(bits), m_Add(m_Deferred(bits), m_AllOnes())))) return std::nullopt;
  auto* const bitsHere = llvm::dyn_cast<llvm::PHINode>(bits);
  out.rest = llvm::cast<llvm::Instruction>(rest);
  if (!bitsHere || bitsHere->getParent() != block || bitsHere->getIncomingValueForBlock(block) != rest ||
      isUsedOutside(*bitsHere))
    return std::nullopt;
  out.first = bitsHere->getIncomingValueForBlock(preheader);
  for (llvm::PHINode& before : block->phis()) {
    if (&before == bitsHere) continue;
    auto* const after = llvm::dyn_cast<llvm::Instruction>(before.getIncomingValueForBlock(block));
    llvm::ConstantInt* step = nullptr;
    if (!after || after->getParent() != block || !match(after, m_c_Add(m_Specific(&before), m_ConstantInt(step))))
      return std::nullopt;
    out.counters.push_back({&before, before.getIncomingValueForBlock(preheader), after, step});
  }
  // Nothing else may depend on the round.
  for (const llvm::Instruction& other : *block) {
    if (llvm::isa<llvm::PHINode>(other) || &other == out.rest || other.isTerminator()) continue;
    const bool isCounter =
        llvm::any_of(out.counters, [&](const Counter& counter) { return counter.after == &other; });
    if (!isCounter && (other.mayHaveSideEffects() || other.mayReadFromMemory() || isUsedOutside(other)))
      return std::nullopt;
  }
  return out;
}

void close(const CountingLoop& loop) {
  llvm::Instruction* const end = loop.block->getTerminator();
  llvm::IRBuilder<> at(end);
  llvm::Type* const type = loop.first->getType();
  llvm::Value* const ones = at.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, loop.first);
  // The first round comes before the question whether a bit is left.
  llvm::Value* const rounds = at.CreateBinaryIntrinsic(llvm::Intrinsic::umax, ones, llvm::ConstantInt::get(type, 1));
  const auto outside = [&](const llvm::Use& use) {
    return llvm::cast<llvm::Instruction>(use.getUser())->getParent() != loop.block;
  };
  for (const Counter& counter : loop.counters) {
    llvm::Value* const grown = at.CreateMul(at.CreateZExtOrTrunc(rounds, counter.step->getType()), counter.step);
    llvm::Value* const sum = at.CreateAdd(counter.start, grown);
    llvm::Value* const sumBefore = at.CreateSub(sum, counter.step);
    counter.after->replaceUsesWithIf(sum, outside);
    counter.before->replaceUsesWithIf(sumBefore, outside);
  }
  loop.rest->replaceUsesWithIf(llvm::ConstantInt::get(type, 0), outside);
  for (llvm::PHINode& phi : llvm::make_early_inc_range(loop.block->phis()))
    phi.removeIncomingValue(loop.block, /*DeletePHIIfEmpty=*/false);
  at.CreateBr(loop.exit);
  end->eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses BitCounts::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  std::vector<CountingLoop> found;
  for (const llvm::Loop* const loop : loops.getLoopsInPreorder())
    if (auto counting = countingLoop(*loop)) found.push_back(*std::move(counting));
  for (const CountingLoop& loop : found) close(loop);
  return found.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace lathe::detail
