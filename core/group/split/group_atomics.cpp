// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/group/split/group_atomics.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

namespace lathe::detail {

bool pointsInto(const llvm::Value& pointer, const llvm::Value& memory) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(&pointer, objects, nullptr, /*MaxLookup=*/0);
  return !objects.empty() && llvm::all_of(objects, [&](const llvm::Value* object) { return object == &memory; });
}

void relaxGroupAtomics(llvm::Function& function, const llvm::Value& shared) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!instruction.isAtomic() || instruction.isVolatile()) continue;
    if (auto* const change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      if (pointsInto(*change->getPointerOperand(), shared)) llvm::lowerAtomicRMWInst(change);
    } else if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      if (pointsInto(*exchange->getPointerOperand(), shared)) llvm::lowerAtomicCmpXchgInst(exchange);
    } else if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (pointsInto(*load->getPointerOperand(), shared)) load->setAtomic(llvm::AtomicOrdering::NotAtomic);
    } else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      if (pointsInto(*store->getPointerOperand(), shared)) store->setAtomic(llvm::AtomicOrdering::NotAtomic);
    }
  }
}

}  // namespace lathe::detail
