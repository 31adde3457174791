// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between integers of 65 to 128 bits and floating point, for back ends that would call a library: rounded
// to nearest, as one instruction would, from the 64 highest bits of the number with what is below them in the last one.
//
//   before: %d = uitofp i128 %x to double
//   after:  %n = ctlz of the upper half;  %top = the 64 bits from the first one on, its last set if others are
//           %d = (uitofp i64 %top to double) × 2^(64 - %n), or of the lower half where the upper is 0
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "core/lower/legalize/legalize.h"

namespace lathe::detail {
namespace {

using llvm::Instruction;
using llvm::Value;

class Conversion {
 public:
  explicit Conversion(Instruction& instruction) : b_(&instruction), word_(b_.getInt64Ty()), wide_(b_.getInt128Ty()) {}

  Value* toFloat(Value* value, llvm::Type* type, bool isSigned) {
    Value* const extended = isSigned ? b_.CreateSExt(value, wide_) : b_.CreateZExt(value, wide_);
    if (!isSigned) return magnitudeToFloat(extended, type);
    Value* const isNegative = b_.CreateICmpSLT(extended, llvm::ConstantInt::get(wide_, 0));
    Value* const out = magnitudeToFloat(b_.CreateSelect(isNegative, b_.CreateNeg(extended), extended), type);
    return b_.CreateSelect(isNegative, b_.CreateFNeg(out), out);
  }

  /// Of a float or double that is in range; others are undefined, as in LLVM.
  Value* toInteger(Value* value, llvm::Type* type, bool isSigned) {
    llvm::Type* const real = b_.getDoubleTy();
    Value* const x = value->getType() == real ? value : b_.CreateFPExt(value, real);
    Value* const magnitude = isSigned ? b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x) : x;
    Value* const high = b_.CreateFPToUI(b_.CreateFMul(magnitude, llvm::ConstantFP::get(real, 0x1p-64)), word_);
    // Nothing is rounded: the upper half has no more bits than the number, and the rest is what it is without them.
    Value* const rest =
        b_.CreateFSub(magnitude, b_.CreateFMul(b_.CreateUIToFP(high, real), llvm::ConstantFP::get(real, 0x1p64)));
    Value* const low = b_.CreateFPToUI(rest, word_);
    Value* out = b_.CreateOr(b_.CreateShl(b_.CreateZExt(high, wide_), 64), b_.CreateZExt(low, wide_));
    if (isSigned) {
      Value* const isNegative = b_.CreateFCmpOLT(x, llvm::ConstantFP::get(real, 0));
      out = b_.CreateSelect(isNegative, b_.CreateNeg(out), out);
    }
    return b_.CreateTrunc(out, type);
  }

 private:
  Value* magnitudeToFloat(Value* value, llvm::Type* type) {
    Value* const low = b_.CreateTrunc(value, word_);
    Value* const high = b_.CreateTrunc(b_.CreateLShr(value, 64), word_);
    Value* const isShort = b_.CreateICmpEQ(high, b_.getInt64(0));
    // From 65,520 on a half is infinite.
    if (type->isHalfTy()) return b_.CreateUIToFP(b_.CreateSelect(isShort, low, b_.getInt64(1 << 20)), type);
    // Of 0 the count is undefined, and what comes of it not taken.
    Value* const zeros =
        b_.CreateAnd(b_.CreateIntrinsic(llvm::Intrinsic::ctlz, {word_}, {high, b_.getFalse()}), b_.getInt64(63));
    Value* const below = b_.CreateLShr(b_.CreateLShr(low, 1), b_.CreateSub(b_.getInt64(63), zeros));
    Value* const lost = b_.CreateICmpNE(b_.CreateShl(low, zeros), b_.getInt64(0));
    Value* const top = b_.CreateOr(b_.CreateOr(b_.CreateShl(high, zeros), below), b_.CreateZExt(lost, word_));
    Value* const scaled =
        b_.CreateFMul(b_.CreateUIToFP(top, type), powerOfTwo(b_.CreateSub(b_.getInt64(64), zeros), type));
    return b_.CreateSelect(isShort, b_.CreateUIToFP(low, type), scaled);
  }

  /// 2 to an exponent from 1 to 64.
  Value* powerOfTwo(Value* exponent, llvm::Type* type) {
    const bool isDouble = type->isDoubleTy();
    Value* const biased = b_.CreateAdd(exponent, b_.getInt64(isDouble ? 1023 : 127));
    if (isDouble) return b_.CreateBitCast(b_.CreateShl(biased, 52), type);
    return b_.CreateBitCast(b_.CreateShl(b_.CreateTrunc(biased, b_.getInt32Ty()), 23), type);
  }

  llvm::IRBuilder<> b_;
  llvm::IntegerType* word_;
  llvm::IntegerType* wide_;
};

/// What replaces a conversion; null for other instructions.
Value* converted(Instruction& instruction) {
  const auto isReal = [](const llvm::Type* type) {
    return type->isHalfTy() || type->isFloatTy() || type->isDoubleTy();
  };
  llvm::Type* const to = instruction.getType();
  const unsigned operation = instruction.getOpcode();
  if (operation == Instruction::UIToFP || operation == Instruction::SIToFP) {
    Value* const from = instruction.getOperand(0);
    if (!isWideInteger(from->getType()) || !isReal(to)) return nullptr;
    return Conversion(instruction).toFloat(from, to, operation == Instruction::SIToFP);
  }
  if (operation == Instruction::FPToUI || operation == Instruction::FPToSI) {
    Value* const from = instruction.getOperand(0);
    if (!isWideInteger(to) || !isReal(from->getType())) return nullptr;
    return Conversion(instruction).toInteger(from, to, operation == Instruction::FPToSI);
  }
  return nullptr;
}

}  // namespace

void expandWideConversions(llvm::Function& function) {
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    Value* const made = converted(instruction);
    if (!made) continue;
    instruction.replaceAllUsesWith(made);
    instruction.eraseFromParent();
  }
}

}  // namespace lathe::detail
