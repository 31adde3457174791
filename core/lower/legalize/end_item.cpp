// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Items that end before their kernel does, for formats without an instruction that ends one. Every function is part of
// its kernel by now, so a return of the kernel is the item's end.
//
// OpenCL says nothing of barriers that not all items of a group reach. Devices with a program counter for each item do
// not count those that returned; Intel's runtime for CPUs runs the items of a group in a loop between two barriers and
// lets all of them go on together, with whatever the returned ones had in their registers. So a mark in the item's own
// memory says that it has ended, and is looked at behind each barrier.
//
//   before: call void @barrier() convergent … call void @__lathe_end_item() unreachable
//   after:  call void @barrier() convergent
//           %mark = load volatile i32, ptr %ended   %c = icmp ne i32 %mark, 0   br i1 %c, label %end, label %rest
//           … store volatile i32 1, ptr %ended   br label %end      end: ret void
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include "core/abi/runtime_abi.h"
#include "core/lower/legalize/legalize.h"

namespace lathe::detail {
namespace {

/// A call that items wait in. Those of a subgroup that return a value have one of every item that is there.
bool isBarrier(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->isConvergent() && call->getType()->isVoidTy() && !call->doesNotReturn();
}

void returnAtEnds(llvm::Function& kernel, llvm::ArrayRef<llvm::Instruction*> ends) {
  llvm::LLVMContext& context = kernel.getContext();
  llvm::BasicBlock* const end = llvm::BasicBlock::Create(context, "item.end", &kernel);
  llvm::ReturnInst::Create(context, end);
  llvm::AllocaInst* ended = nullptr;
  if (llvm::any_of(llvm::instructions(kernel), isBarrier)) {
    llvm::IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
    ended = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "item.ended");
    builder.CreateStore(builder.getInt32(0), ended, /*isVolatile=*/true);
  }
  for (llvm::Instruction* call : ends) {
    llvm::IRBuilder<> builder(call);
    if (ended) builder.CreateStore(builder.getInt32(1), ended, /*isVolatile=*/true);
    llvm::BasicBlock* const block = call->getParent();
    llvm::changeToUnreachable(call);
    block->getTerminator()->eraseFromParent();
    llvm::BranchInst::Create(end, block);
  }
  llvm::SmallVector<llvm::Instruction*> barriers;  // without those behind an end, which are gone
  for (llvm::Instruction& instruction : llvm::instructions(kernel))
    if (isBarrier(instruction)) barriers.push_back(&instruction);
  for (llvm::Instruction* barrier : barriers) {
    llvm::Instruction* const next = barrier->getNextNode();
    if (llvm::isa<llvm::UnreachableInst>(next)) continue;
    llvm::BasicBlock* const block = barrier->getParent();
    llvm::BasicBlock* const rest = llvm::SplitBlock(block, next);
    block->getTerminator()->eraseFromParent();
    llvm::IRBuilder<> builder(block);
    llvm::Value* const mark = builder.CreateLoad(builder.getInt32Ty(), ended, /*isVolatile=*/true);
    builder.CreateCondBr(builder.CreateIsNotNull(mark), end, rest);
  }
}

}  // namespace

void returnAtEnds(llvm::Module& module) {
  llvm::Function* const marker = module.getFunction(runtimeEntry(RuntimeId::end_item).symbol);
  if (!marker) return;
  const auto isEnd = [&](const llvm::Instruction& instruction) {
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    return call && call->getCalledFunction() == marker;
  };
  for (llvm::Function& function : module) {
    // A function that is left calls itself, which validation reports.
    if (!function.getReturnType()->isVoidTy()) continue;
    llvm::SmallVector<llvm::Instruction*> ends;
    for (llvm::BasicBlock& block : function) {
      const auto found = llvm::find_if(block, isEnd);  // nothing behind it runs
      if (found != block.end()) ends.push_back(&*found);
    }
    if (!ends.empty()) returnAtEnds(function, ends);
  }
  if (marker->use_empty()) marker->eraseFromParent();
}

}  // namespace lathe::detail
