// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variable indices into local arrays of one element.
#include "core/lower/passes/single_elements.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace lathe::detail {
namespace {

/// True if the instruction cannot lead back from behind the variable's end, as the index -1 does.
bool leadsForward(const llvm::GetElementPtrInst& instruction) {
  const llvm::DataLayout& layout = instruction.getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(instruction.getType()), 0);
  if (instruction.accumulateConstantOffset(layout, offset)) return !offset.isNegative();
  return instruction.hasNoUnsignedWrap() || llvm::all_of(instruction.indices(), [&](const llvm::Value* index) {
           return llvm::isKnownNonNegative(index, llvm::SimplifyQuery(layout, &instruction));
         });
}

/// True if the address, and all that is computed of it within the variable, is only loaded from and stored to.
bool isOnlyAccessed(const llvm::Value& address) {
  return llvm::all_of(address.uses(), [](const llvm::Use& use) {
    if (const auto* const inner = llvm::dyn_cast<llvm::GetElementPtrInst>(use.getUser())) {
      return inner->isInBounds() && use.getOperandNo() == 0 && !inner->use_empty() && leadsForward(*inner) &&
             isOnlyAccessed(*inner);
    }
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(use.getUser());
    return llvm::isa<llvm::LoadInst>(use.getUser()) ||
           (store && use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex());
  });
}

/// The bytes of the local variable that the address begins, 0 if it begins none. Elements of arrays do not count:
/// their neighbours are memory too.
std::uint64_t sizeOfVariable(const llvm::DataLayout& layout, const llvm::Value* address) {
  const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(address->stripPointerCasts());
  const auto size = variable ? variable->getAllocationSize(layout) : std::nullopt;
  return size && !size->isScalable() ? size->getFixedValue() : 0;
}

/// The indices of the instruction each step of which is as long as the variable or longer.
llvm::SmallVector<llvm::Use*> indicesBeyond(const llvm::DataLayout& layout, llvm::GetElementPtrInst& instruction) {
  llvm::SmallVector<llvm::Use*> out;
  const std::uint64_t size = sizeOfVariable(layout, instruction.getPointerOperand());
  if (size == 0) return out;
  auto type = llvm::gep_type_begin(instruction);
  for (llvm::Use& index : instruction.indices()) {
    const bool isConstant = llvm::isa<llvm::Constant>(index.get());
    if (!isConstant && type.isSequential() && !index->getType()->isVectorTy() &&
        type.getSequentialElementStride(layout).getKnownMinValue() >= size)
      out.push_back(&index);
    ++type;
  }
  return out;
}

/// Lets a load or store of as many bytes as the variable has begin where that begins: nothing else is within it. The
/// address may have lost its mark that it is, as in `array[count - 1]`.
bool accessWhole(const llvm::DataLayout& layout, llvm::Instruction& access) {
  llvm::Value* const place = llvm::getLoadStorePointerOperand(&access);
  if (!place || !llvm::isa<llvm::GetElementPtrInst>(place)) return false;
  llvm::Value* const variable = llvm::getUnderlyingObject(place);
  const llvm::TypeSize size = layout.getTypeStoreSize(llvm::getLoadStoreType(&access));
  if (variable->getType() != place->getType() || size.isScalable() || size.isZero() ||
      size.getFixedValue() != sizeOfVariable(layout, variable))
    return false;
  access.setOperand(llvm::isa<llvm::LoadInst>(access) ? llvm::LoadInst::getPointerOperandIndex()
                                                      : llvm::StoreInst::getPointerOperandIndex(),
                    variable);
  return true;
}

}  // namespace

llvm::PreservedAnalyses SingleElements::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const llvm::DataLayout& layout = function.getDataLayout();
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    changed |= accessWhole(layout, instruction);
    auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    if (!address || !address->isInBounds() || address->use_empty()) continue;
    const auto indices = indicesBeyond(layout, *address);
    if (indices.empty() || !isOnlyAccessed(*address)) continue;
    for (llvm::Use* const index : indices) index->set(llvm::ConstantInt::get(index->get()->getType(), 0));
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
