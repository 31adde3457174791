// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pushes extensions through operations that carry the matching no-wrap flag, down to the item id.
#include "core/group/vectorise/index_widening.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

#include "core/group/analysis/device_calls.h"
#include "core/group/entry/group_function.h"

namespace lathe::detail {
namespace {

/// Deepest sum that is looked through, in operations.
constexpr unsigned maxDepth = 6;

/// An operation whose extended result is the operation on its extended operands.
bool commutesWithExtension(const llvm::BinaryOperator& operation, bool isSigned) {
  switch (operation.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
      return isSigned ? operation.hasNoSignedWrap() : operation.hasNoUnsignedWrap();
    default:
      return false;
  }
}

bool dependsOnX(const llvm::Value& value, bool isSigned, unsigned depth = 0) {
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return false;
  if (const auto axis = itemIdAxisOf(*instruction)) return *axis == 0;
  const auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(instruction);
  if (!operation || depth == maxDepth || !commutesWithExtension(*operation, isSigned)) return false;
  return dependsOnX(*operation->getOperand(0), isSigned, depth + 1) ||
         dependsOnX(*operation->getOperand(1), isSigned, depth + 1);
}

llvm::Value* widen(llvm::IRBuilder<>& builder, llvm::Value& value, llvm::Type& type, bool isSigned) {
  auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (!operation || !dependsOnX(value, isSigned)) return builder.CreateIntCast(&value, &type, isSigned);
  llvm::Value* const left = widen(builder, *operation->getOperand(0), type, isSigned);
  llvm::Value* const right = widen(builder, *operation->getOperand(1), type, isSigned);
  llvm::Value* const wide = builder.CreateBinOp(operation->getOpcode(), left, right);
  if (auto* made = llvm::dyn_cast<llvm::BinaryOperator>(wide)) {
    made->setHasNoSignedWrap();
    made->setHasNoUnsignedWrap(!isSigned);
  }
  return wide;
}

/// Adds the flags that ranges prove: a group's first item plus an item id.
void flagSums(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const sum = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
    if (!sum || sum->getOpcode() != llvm::Instruction::Add || sum->hasNoSignedWrap()) continue;
    for (const unsigned i : {0U, 1U}) {
      const auto* const id = llvm::dyn_cast<llvm::Instruction>(sum->getOperand(i));
      if (!id || !itemIdAxisOf(*id) || sum->getType() != id->getType()) continue;
      const llvm::ConstantRange items(llvm::APInt(32, 0), llvm::APInt(32, maxGroupSize));
      const llvm::ConstantRange other = llvm::computeConstantRange(sum->getOperand(1 - i), true);
      if (items.signedAddMayOverflow(other) != llvm::ConstantRange::OverflowResult::NeverOverflows) continue;
      sum->setHasNoSignedWrap();
      sum->setHasNoUnsignedWrap(other.isAllNonNegative());
      break;
    }
  }
}

}  // namespace

void widenIndices(llvm::Function& function) {
  flagSums(function);
  llvm::SmallVector<llvm::CastInst*> extensions;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction) || instruction.getType()->isVectorTy()) continue;
    extensions.push_back(llvm::cast<llvm::CastInst>(&instruction));
  }
  for (llvm::CastInst* extension : extensions) {
    llvm::Value& operand = *extension->getOperand(0);
    const bool isSigned = llvm::isa<llvm::SExtInst>(extension) || llvm::cast<llvm::ZExtInst>(extension)->hasNonNeg();
    if (!llvm::isa<llvm::BinaryOperator>(operand) || !dependsOnX(operand, isSigned)) continue;
    llvm::IRBuilder<> builder(extension);
    extension->replaceAllUsesWith(widen(builder, operand, *extension->getType(), isSigned));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(extension);
  }
}

}  // namespace lathe::detail
