// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors that formats lack: those of truth values as the bits of a number, where truth values have no size, and those
// of unusual lengths as the types of local variables.
//
//   before: %n = bitcast <8 x i1> %v to i8    after: %n = or of (zext %v[k] to i8) << k, k from 0 to 7
//           %v = bitcast i8 %n to <8 x i1>           %v[k] = trunc (%n >> k) to i1
//           %a = alloca [4 x <1 x i8>]               %a = alloca [4 x i8]
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

#include "core/lower/legalize/legalize.h"
#include "core/lower/passes/passes.h"

namespace lathe::detail {
namespace {

/// The number of elements of a vector of truth values; 0 of every other type.
unsigned truthValues(const llvm::Type* type) {
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && vector->getElementType()->isIntegerTy(1) ? vector->getNumElements() : 0;
}

llvm::Value* asBits(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Type* type, unsigned length) {
  llvm::Value* out = llvm::ConstantInt::get(type, 0);
  for (unsigned k = 0; k < length; ++k)
    out = b.CreateOr(out, b.CreateShl(b.CreateZExt(b.CreateExtractElement(vector, k), type), k));
  return out;
}

llvm::Value* asVector(llvm::IRBuilder<>& b, llvm::Value* bits, llvm::Type* type, unsigned length) {
  llvm::Value* out = llvm::PoisonValue::get(type);
  for (unsigned k = 0; k < length; ++k)
    out = b.CreateInsertElement(out, b.CreateTrunc(b.CreateLShr(bits, k), b.getInt1Ty()), k);
  return out;
}

bool holdsOddVector(llvm::Type* type) {
  return isOddVector(type) || (type->isAggregateType() && llvm::any_of(type->subtypes(), holdsOddVector));
}

void forgetOddVectors(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getDataLayout();
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!slot || !holdsOddVector(slot->getAllocatedType())) continue;
    slot->setAllocatedType(llvm::ArrayType::get(llvm::Type::getInt8Ty(function.getContext()),
                                                layout.getTypeAllocSize(slot->getAllocatedType())));
  }
}

void expandBoolVectorCasts(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
    if (!cast) continue;
    llvm::IRBuilder<> builder(cast);
    llvm::Type* const to = cast->getType();
    llvm::Value* made = nullptr;
    if (const unsigned length = truthValues(cast->getSrcTy()); length != 0 && to->isIntegerTy())
      made = asBits(builder, cast->getOperand(0), to, length);
    else if (const unsigned length = truthValues(to); length != 0 && cast->getSrcTy()->isIntegerTy())
      made = asVector(builder, cast->getOperand(0), to, length);
    if (!made) continue;
    made->takeName(cast);
    cast->replaceAllUsesWith(made);
    cast->eraseFromParent();
  }
}

bool hasOddVectors(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return isOddVector(instruction.getType()) ||
           llvm::any_of(instruction.operands(), [](const llvm::Use& use) { return isOddVector(use->getType()); });
  });
}

}  // namespace

bool isOddVector(const llvm::Type* type) {
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector) return false;
  const unsigned length = vector->getNumElements();
  return length != 2 && length != 3 && length != 4 && length != 8 && length != 16;
}

void scalariseOddVectors(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/false);
  for (llvm::Function& function : *lowering.module) {
    expandBoolVectorCasts(function);
    forgetOddVectors(function);
  }
  const bool any = llvm::any_of(*lowering.module, hasOddVectors);
  if (!any) return;
  llvm::ScalarizerPassOptions options;
  options.ScalarizeVariableInsertExtract = true;
  options.ScalarizeLoadStore = true;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::ScalarizerPass(options));
  pipeline.run(std::move(passes));
}

}  // namespace lathe::detail
