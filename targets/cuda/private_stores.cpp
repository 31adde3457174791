// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The width of stores into local arrays.
#include "targets/cuda/private_stores.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace lathe::targets {
namespace {

/// The bits of an element of the local array that `address` points into; 0: into none.
unsigned elementBits(const llvm::Value& address, const llvm::DataLayout& layout) {
  const auto* const array = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&address));
  if (!array || !array->getAllocatedType()->isArrayTy()) return 0;
  llvm::Type* element = array->getAllocatedType();
  while (element->isArrayTy()) element = element->getArrayElementType();
  const bool isNumber = element->isIntegerTy() || element->isFloatingPointTy();
  return isNumber ? static_cast<unsigned>(layout.getTypeSizeInBits(element).getFixedValue()) : 0;
}

/// Makes of `store` one of a vector if it is of an integer of several elements.
void split(llvm::StoreInst& store) {
  const auto* const value = llvm::dyn_cast<llvm::ConstantInt>(store.getValueOperand());
  if (!value || !store.isSimple()) return;
  const unsigned bits = value->getBitWidth();
  const unsigned part = elementBits(*store.getPointerOperand(), store.getDataLayout());
  constexpr unsigned narrowest = 16;  // of PTX's vectors and registers
  if (part < narrowest || bits <= part || bits % part != 0) return;
  llvm::SmallVector<llvm::Constant*, 4> parts;
  llvm::IRBuilder<> builder(&store);
  for (unsigned at = 0; at < bits; at += part) parts.push_back(builder.getInt(value->getValue().extractBits(part, at)));
  store.setOperand(0, llvm::ConstantVector::get(parts));
}

}  // namespace

void storeByElements(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) split(*store);
  }
}

}  // namespace lathe::targets
