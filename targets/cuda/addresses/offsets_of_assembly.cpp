// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant offsets of addresses that inline assembly takes.
#include "targets/cuda/addresses/offsets_of_assembly.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"

#include "targets/cuda/addresses/accesses.h"

namespace lathe::targets {
namespace {

/// Makes of `address` the same with its constants added last. False if they are, or there is none.
bool moveConstants(llvm::Use& address) {
  const llvm::DataLayout& layout = llvm::cast<llvm::Instruction>(address.getUser())->getDataLayout();
  llvm::SmallVector<llvm::Instruction*> steps;  // from the last one on: casts, and sums of what is not constant
  llvm::APInt offset(64, 0);
  bool isBehind = false;  // a constant is followed by such a step
  llvm::Value* base = address.get();
  while (auto* const step = llvm::dyn_cast<llvm::Instruction>(base)) {
    auto* const sum = llvm::dyn_cast<llvm::GetElementPtrInst>(step);
    if (!sum && !llvm::isa<llvm::AddrSpaceCastInst>(step)) break;
    llvm::APInt own(layout.getIndexTypeSizeInBits(step->getType()), 0);
    if (sum && sum->accumulateConstantOffset(layout, own)) {
      offset += own.sextOrTrunc(64);
      isBehind |= !steps.empty() && !own.isZero();
    } else {
      steps.push_back(step);
    }
    base = step->getOperand(0);
  }
  if (!isBehind) return false;
  // No flags: what was within a variable behind the offset may be in front of it without.
  llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(address.get()));
  for (llvm::Instruction* step : llvm::reverse(steps)) {
    if (auto* const sum = llvm::dyn_cast<llvm::GetElementPtrInst>(step))
      base = builder.CreateGEP(sum->getSourceElementType(), base, llvm::SmallVector<llvm::Value*>(sum->indices()));
    else
      base = builder.CreateAddrSpaceCast(base, step->getType());
  }
  address.set(builder.CreateGEP(builder.getInt8Ty(), base, builder.getInt(offset)));
  return true;
}

}  // namespace

void addOffsetsLast(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<llvm::Function*> changed;
  for (llvm::Function& function : module) {
    bool moved = false;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call || !call->isInlineAsm()) continue;
      for (llvm::Use& argument : call->args())
        if (argument->getType()->isPointerTy()) moved |= moveConstants(argument);
    }
    if (moved) changed.push_back(&function);
  }
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  runPasses(changed, machine, std::move(passes));
}

}  // namespace lathe::targets
