// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds loops over items that are to take the iterations of a loop inside together, and has them made strips.
#include "core/group/vectorise/outer_loop.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include "core/group/vectorise/outer_loop_choice.h"
#include "core/group/vectorise/strip.h"

namespace lathe::detail {
namespace {

/// Gives assumptions in a loop over items the loop's access group: they count as accesses, and a loop with one that has
/// none is not known to be parallel.
void groupAssumptions(const llvm::Loop& loop) {
  const llvm::MDNode* const list = llvm::findOptionMDForLoop(&loop, "llvm.loop.parallel_accesses");
  if (!list) return;
  auto* const group = llvm::cast<llvm::MDNode>(list->getOperand(1));
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& instruction : *block)
      if (llvm::isa<llvm::AssumeInst>(instruction)) instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
}

}  // namespace

llvm::PreservedAnalyses OuterLoopVectorisePass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& costs = analyses.getResult<llvm::TargetIRAnalysis>(function);
  const auto& library = analyses.getResult<llvm::TargetLibraryAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : llvm::SmallVector<llvm::Loop*>(loops.begin(), loops.end()))
    changed |=
        llvm::simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions, nullptr, /*PreserveLCSSA=*/false);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    groupAssumptions(*loop);
    const auto outer = readOuterLoop(*loop, loops, costs, library, evolution);
    if (!outer) continue;
    evolution.forgetLoop(loop);
    makeStrip(*outer);
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
