// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/lower/work_group/splits.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "core/lower/work_group/device_calls.h"

namespace lathe::detail {

std::vector<SplitPoint> splitAtBarriers(llvm::Function& function) {
  std::vector<llvm::Instruction*> barriers;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (isGroupBarrier(instruction)) barriers.push_back(&instruction);
  }
  std::vector<SplitPoint> splits;
  for (llvm::Instruction* barrier : barriers) {
    llvm::BasicBlock* const before = barrier->getParent();
    llvm::BasicBlock* const after = llvm::SplitBlock(before, barrier->getIterator());
    after->setName("after.barrier");
    barrier->eraseFromParent();
    splits.push_back({after, true});
  }
  return splits;
}

void addProfitableSplits(llvm::Function&, std::vector<SplitPoint>&) {}

}  // namespace lathe::detail
