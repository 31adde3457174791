// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about the types that an instruction makes or takes.
#include "core/lower/stages/validation/instruction_types.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace lathe::detail {

bool isIllegalInteger(const llvm::Type* type) {
  const unsigned width = type->isIntegerTy() ? type->getIntegerBitWidth() : 1;
  return width != 1 && width != 8 && width != 16 && width != 32 && width != 64;
}

const llvm::Type* atomicType(const llvm::Instruction& instruction) {
  if (!instruction.isAtomic() || llvm::isa<llvm::FenceInst>(instruction)) return nullptr;
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getCompareOperand()->getType();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->getValueOperand()->getType();
  return instruction.getType();
}

const llvm::Value* changedAtomically(const llvm::Instruction& instruction) {
  if (const auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return update->getPointerOperand();
  if (const auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store && store->isAtomic() ? store->getPointerOperand() : nullptr;
}

bool touchesBfloat(const llvm::Instruction& instruction) {
  const auto holds = [](const auto& self, const llvm::Type* type) -> bool {
    if (type->getScalarType()->isBFloatTy()) return true;
    return type->isAggregateType() &&
           llvm::any_of(type->subtypes(), [&](const llvm::Type* part) { return self(self, part); });
  };
  const auto* const slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
  const auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
  return holds(holds, instruction.getType()) || (slot && holds(holds, slot->getAllocatedType())) ||
         (address && holds(holds, address->getSourceElementType())) ||
         llvm::any_of(instruction.operands(), [&](const llvm::Use& use) { return holds(holds, use->getType()); });
}

bool isFloatArithmetic(const llvm::Instruction& instruction) {
  if (instruction.isCast() || llvm::isa<llvm::CmpInst>(instruction)) {
    const bool reads = instruction.getOperand(0)->getType()->isFPOrFPVectorTy();
    const bool makes = instruction.getType()->isFPOrFPVectorTy();
    return instruction.getOpcode() != llvm::Instruction::BitCast && (reads || makes);
  }
  const bool computes =
      instruction.isBinaryOp() || instruction.isUnaryOp() || llvm::isa<llvm::IntrinsicInst>(instruction);
  return computes && instruction.getType()->isFPOrFPVectorTy();
}

}  // namespace lathe::detail
