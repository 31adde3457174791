// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over arrays of an item's own.
#include "core/lower/passes/loops/private_arrays.h"

#include <algorithm>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace lathe::detail {
namespace {

/// Bytes of an array that costs more in memory than the loop as code.
constexpr std::uint64_t largeArray = 128;
/// Iterations up to which LLVM's unroller unrolls a loop of which it only knows that it has no more.
constexpr unsigned maxBounded = 8;

/// The iterations after which the loop ends at the latest, as LLVM's unroller counts them: the least number among the
/// exits whose number of iterations is a known constant. 0: there is no such exit.
unsigned mostIterations(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  llvm::SmallVector<llvm::BasicBlock*> exits;
  loop.getExitingBlocks(exits);
  unsigned most = 0;
  for (const llvm::BasicBlock* const exit : exits) {
    const unsigned count = evolution.getSmallConstantTripCount(&loop, exit);
    if (count != 0 && (most == 0 || count < most)) most = count;
  }
  return most;
}

/// The most iterations of a loop that ends at a number computed before it, by what the branches around the loop say of
/// that number. 0: nothing bounds it.
unsigned boundByGuards(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const llvm::SCEV* const count = evolution.getBackedgeTakenCount(&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(count)) return 0;
  const llvm::APInt most = evolution.getUnsignedRangeMax(evolution.applyLoopGuards(count, &loop));
  return most.ult(maxBounded) ? static_cast<unsigned>(most.getZExtValue()) + 1 : 0;
}

/// Lets a loop end at the latest after `iterations`, by a counter of its own, which it would do anyway: so LLVM's
/// unroller knows. False: the loop has no such counter, or another form.
///
///   before: %done = icmp eq i64 %next, %count    after: %last = icmp eq i64 %next, 4
///           br i1 %done, label %exit, …                 %ends = or i1 %done, %last    br i1 %ends, label %exit, …
bool endAfter(llvm::Loop& loop, unsigned iterations, llvm::ScalarEvolution& evolution) {
  llvm::BasicBlock* const latch = loop.getLoopLatch();
  auto* const branch = latch ? llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || loop.getExitingBlock() != latch) return false;
  for (llvm::PHINode& counter : loop.getHeader()->phis()) {
    if (!counter.getType()->isIntegerTy()) continue;
    const auto* const counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&counter));
    const auto* const start = counted ? llvm::dyn_cast<llvm::SCEVConstant>(counted->getStart()) : nullptr;
    if (!start || counted->getLoop() != &loop || !counted->getStepRecurrence(evolution)->isOne()) continue;
    llvm::IRBuilder<> builder(branch);
    llvm::Value* const last = llvm::ConstantInt::get(counter.getType(), start->getAPInt() + iterations);
    llvm::Value* const next = counter.getIncomingValueForBlock(latch);
    branch->setCondition(loop.contains(branch->getSuccessor(0))
                             ? builder.CreateAnd(branch->getCondition(), builder.CreateICmpNE(next, last))
                             : builder.CreateOr(branch->getCondition(), builder.CreateICmpEQ(next, last)));
    evolution.forgetLoop(&loop);
    return true;
  }
  return false;
}

}  // namespace

std::uint64_t privateBytesIndexed(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const auto countedHere = [&](const llvm::SCEV* part) {
    const auto* const counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
    return counter && counter->getLoop() == &loop;
  };
  std::uint64_t most = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      const llvm::Value* const place = llvm::getLoadStorePointerOperand(&instruction);
      const auto* const array = place ? llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(place)) : nullptr;
      if (!array || !llvm::SCEVExprContains(evolution.getSCEV(const_cast<llvm::Value*>(place)), countedHere)) continue;
      const auto bytes = array->getAllocationSize(array->getDataLayout());
      most = std::max<std::uint64_t>(most, bytes && bytes->isFixed() ? bytes->getFixedValue() : 1);
    }
  }
  return most;
}

llvm::PreservedAnalyses UnrollPrivateArrays::run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                                                 llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater&) {
  if (llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified) return llvm::PreservedAnalyses::all();
  std::uint64_t iterations = mostIterations(loop, results.SE);
  const bool isBounded = iterations == 0;
  if (isBounded) iterations = boundByGuards(loop, results.SE);
  // Without guards that bound it, LLVM may find that the loop ends by itself: `i < n && i < 4`.
  const bool endsByItself = iterations == 0;
  if (endsByItself) iterations = results.SE.getSmallConstantMaxTripCount(&loop);
  if (iterations == 0 || (endsByItself && iterations > maxBounded)) return llvm::PreservedAnalyses::all();
  std::uint64_t size = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) size += block->size();
  if (size * iterations > most_) return llvm::PreservedAnalyses::all();
  const std::uint64_t bytes = privateBytesIndexed(loop, results.SE);
  if (bytes == 0 || (size * iterations > usualMost && bytes < largeArray)) return llvm::PreservedAnalyses::all();
  if (isBounded && !endsByItself && !endAfter(loop, static_cast<unsigned>(iterations), results.SE))
    return llvm::PreservedAnalyses::all();
  // The unroller takes a bound for the number of iterations only where unrolling is permitted, not where it is asked
  // to be full.
  llvm::addStringMetadataToLoop(&loop, isBounded ? "llvm.loop.unroll.enable" : "llvm.loop.unroll.full");
  return isBounded && !endsByItself ? llvm::getLoopPassPreservedAnalyses() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
