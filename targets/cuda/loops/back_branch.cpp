// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of loops in PTX.
#include "targets/cuda/loops/back_branch.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace lathe::targets {
namespace {

void branchBack(const llvm::Loop& loop) {
  llvm::SmallVector<llvm::BasicBlock*> latches;
  loop.getLoopLatches(latches);
  for (llvm::BasicBlock* latch : latches) {
    auto* const branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(1) != loop.getHeader() ||
        branch->getSuccessor(0) == loop.getHeader())
      continue;
    auto* compare = llvm::dyn_cast<llvm::CmpInst>(branch->getCondition());
    if (!compare) continue;
    if (!compare->hasOneUse()) {
      auto* const own = llvm::cast<llvm::CmpInst>(compare->clone());
      own->insertBefore(branch->getIterator());
      branch->setCondition(own);
      compare = own;
    }
    compare->setPredicate(compare->getInversePredicate());
    branch->swapSuccessors();
  }
}

}  // namespace

void branchBack(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    for (const llvm::Loop* loop : loops.getLoopsInPreorder()) branchBack(*loop);
  }
}

}  // namespace lathe::targets
