// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses with a stride in loops over items, and what else an item does with the same memory.
#include "core/group/vectorise/strided_accesses.h"

#include <cstdlib>

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace lathe::detail {
namespace {

/// Questions about pairs of accesses in one loop; beyond, all answers are the worst.
constexpr std::size_t mostQuestions = 1 << 16;

/// Whether items next to each other access places that are further apart than one is long, as the vectoriser finds out.
bool isStrided(llvm::Instruction& access, const llvm::Loop& loop, llvm::PredicatedScalarEvolution& evolution,
               const llvm::DominatorTree& dominators) {
  llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&access);
  if (!pointer) return false;
  const auto stride = llvm::getPtrStride(evolution, llvm::getLoadStoreType(&access), pointer, &loop, dominators,
                                         llvm::DenseMap<llvm::Value*, const llvm::SCEV*>(),
                                         /*Assume=*/true, /*ShouldCheckWrap=*/false);
  return stride && std::abs(*stride) > 1;
}

/// The accesses of `loop`, an innermost one, that must stay where they are among the others.
llvm::SmallVector<llvm::Instruction*> bound(llvm::Loop& loop, llvm::LoopInfo& loops, llvm::ScalarEvolution& numbers,
                                            const llvm::DominatorTree& dominators, llvm::AAResults& aliasing) {
  llvm::PredicatedScalarEvolution evolution(numbers, loop);
  llvm::LoopBlocksRPO order(&loop);
  order.perform(&loops);
  llvm::SmallVector<llvm::Instruction*> accesses;  // what comes first in an iteration stands first
  for (llvm::BasicBlock* block : order)
    for (llvm::Instruction& instruction : *block)
      if (instruction.mayReadOrWriteMemory()) accesses.push_back(&instruction);
  llvm::SmallVector<llvm::Instruction*> out;
  if (llvm::none_of(accesses, [](const llvm::Instruction* one) { return one->mayWriteToMemory(); })) return out;
  std::size_t questions = 0;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    llvm::Instruction& access = *accesses[i];
    if (!isStrided(access, loop, evolution, dominators)) continue;
    const llvm::MemoryLocation place = llvm::MemoryLocation::get(&access);
    const bool isLoad = llvm::isa<llvm::LoadInst>(access);
    const auto others = isLoad ? llvm::ArrayRef(accesses).take_front(i) : llvm::ArrayRef(accesses).drop_front(i + 1);
    const bool isBound = llvm::any_of(others, [&](llvm::Instruction* other) {
      if (isLoad && !other->mayWriteToMemory()) return false;
      return ++questions > mostQuestions || llvm::isModOrRefSet(aliasing.getModRefInfo(other, place));
    });
    if (isBound) out.push_back(&access);
  }
  return out;
}

}  // namespace

llvm::PreservedAnalyses KeepStridedInOrder::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& aliasing = analyses.getResult<llvm::AAManager>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !llvm::findOptionMDForLoop(loop, "llvm.loop.parallel_accesses")) continue;
    for (llvm::Instruction* access : bound(*loop, loops, evolution, dominators, aliasing)) {
      llvm::IRBuilder<> builder(access);
      llvm::Value* const pointer = llvm::getLoadStorePointerOperand(access);
      access->replaceUsesOfWith(pointer, builder.CreateFreeze(pointer));
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
