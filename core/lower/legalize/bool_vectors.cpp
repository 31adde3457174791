// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of truth values as the bits of a number, which formats whose truth values have no size cannot say by a cast.
//
//   before: %n = bitcast <8 x i1> %v to i8    after: %n = or of (zext %v[k] to i8) << k, k from 0 to 7
//           %v = bitcast i8 %n to <8 x i1>           %v[k] = trunc (%n >> k) to i1
#include "llvm/IR/InstIterator.h"

#include "core/lower/legalize/legalize.h"

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

}  // namespace

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

}  // namespace lathe::detail
