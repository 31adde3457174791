// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block at a time, which another pass joins with its successor afterwards.
#include "core/group/split/empty_branches.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace lathe::detail {
namespace {

/// True if `block` does nothing between `before`, its only predecessor, and `behind`.
bool isEmptyBetween(const llvm::BasicBlock& block, const llvm::BasicBlock& before, const llvm::BasicBlock& behind) {
  return &block != &behind && block.getSinglePredecessor() == &before && block.getSingleSuccessor() == &behind &&
         block.sizeWithoutDebug() == 1;
}

bool fold(llvm::BasicBlock& block) {
  auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch || branch->isUnconditional()) return false;
  for (const unsigned side : {0U, 1U}) {
    llvm::BasicBlock* const empty = branch->getSuccessor(side);
    llvm::BasicBlock* const exit = branch->getSuccessor(1 - side);
    if (!isEmptyBetween(*empty, block, *exit)) continue;
    llvm::IRBuilder<> builder(branch);
    for (llvm::PHINode& phi : exit->phis()) {
      llvm::Value* const there = phi.getIncomingValueForBlock(empty);
      llvm::Value* const here = phi.getIncomingValueForBlock(&block);
      phi.setIncomingValueForBlock(&block, side == 0 ? builder.CreateSelect(branch->getCondition(), there, here)
                                                     : builder.CreateSelect(branch->getCondition(), here, there));
    }
    exit->removePredecessor(empty, /*KeepOneInputPHIs=*/true);
    builder.CreateBr(exit);
    branch->eraseFromParent();
    empty->eraseFromParent();
    return true;
  }
  return false;
}

}  // namespace

llvm::PreservedAnalyses FoldEmptyBranches::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (auto block = function.begin(); block != function.end(); ++block) changed |= fold(*block);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
