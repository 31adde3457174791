// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over arrays of an item's own.
#include "core/lower/passes/private_arrays.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace lathe::detail {
namespace {

/// Instructions that a loop may become.
constexpr std::uint64_t maxUnrolled = 2048;

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

}  // namespace

bool indexesPrivateArray(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const auto countedHere = [&](const llvm::SCEV* part) {
    const auto* const counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
    return counter && counter->getLoop() == &loop;
  };
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      const llvm::Value* const place = llvm::getLoadStorePointerOperand(&instruction);
      if (!place || !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(place))) continue;
      if (llvm::SCEVExprContains(evolution.getSCEV(const_cast<llvm::Value*>(place)), countedHere)) return true;
    }
  }
  return false;
}

llvm::PreservedAnalyses UnrollPrivateArrays::run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                                                 llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater&) {
  const std::uint64_t iterations = mostIterations(loop, results.SE);
  std::uint64_t size = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) size += block->size();
  if (iterations == 0 || size * iterations > maxUnrolled ||
      llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified)
    return llvm::PreservedAnalyses::all();
  if (indexesPrivateArray(loop, results.SE)) llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  return llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
