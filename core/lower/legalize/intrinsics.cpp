// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics that formats lack, as plain instructions: arithmetic with its overflow (`overflow`), and what is rare
// (`intrinsics`).
//
//   before: %r = call i32 @llvm.bswap.i32(i32 %x)
//   after:  %a = lshr i32 %x, 16 … %r = or i32 %low, %high
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

#include "core/lower/legalize/legalize.h"

namespace lathe::detail {
namespace {

/// Upper 64 bits of an unsigned product, out of four products of halves.
llvm::Value* unsignedUpperHalf(llvm::IRBuilderBase& b, llvm::Value* x, llvm::Value* y) {
  llvm::Value* const x0 = b.CreateAnd(x, 0xffffffff);
  llvm::Value* const y0 = b.CreateAnd(y, 0xffffffff);
  llvm::Value* const x1 = b.CreateLShr(x, 32);
  llvm::Value* const y1 = b.CreateLShr(y, 32);
  llvm::Value* const carry = b.CreateLShr(b.CreateMul(x0, y0), 32);
  llvm::Value* const middle = b.CreateAdd(b.CreateMul(x1, y0), carry);
  llvm::Value* const other = b.CreateAdd(b.CreateMul(x0, y1), b.CreateAnd(middle, 0xffffffff));
  return b.CreateAdd(b.CreateAdd(b.CreateMul(x1, y1), b.CreateLShr(middle, 32)), b.CreateLShr(other, 32));
}

/// { result, overflowed } of one operation.
std::pair<llvm::Value*, llvm::Value*> checkedArithmetic(llvm::IRBuilder<>& b, const llvm::WithOverflowInst& call) {
  llvm::Value* const x = call.getLHS();
  llvm::Value* const y = call.getRHS();
  const unsigned width = x->getType()->getScalarSizeInBits();
  const bool isSigned = call.isSigned();
  llvm::Value* const result = b.CreateBinOp(call.getBinaryOp(), x, y);
  const auto negative = [&](llvm::Value* value) {
    return b.CreateICmpSLT(value, llvm::Constant::getNullValue(value->getType()));
  };
  if (call.getBinaryOp() == llvm::Instruction::Add)
    return {result, isSigned ? negative(b.CreateAnd(b.CreateXor(x, result), b.CreateXor(y, result)))
                             : b.CreateICmpULT(result, x)};
  if (call.getBinaryOp() == llvm::Instruction::Sub)
    return {result,
            isSigned ? negative(b.CreateAnd(b.CreateXor(x, y), b.CreateXor(x, result))) : b.CreateICmpULT(x, y)};
  llvm::Value* upper = nullptr;
  if (width == 64) {
    upper = upperHalfOfProduct(b, x, y, isSigned);
  } else {
    llvm::Type* const wide = x->getType()->getWithNewBitWidth(2 * width);
    const auto extend = [&](llvm::Value* v) { return isSigned ? b.CreateSExt(v, wide) : b.CreateZExt(v, wide); };
    upper = b.CreateTrunc(b.CreateLShr(b.CreateMul(extend(x), extend(y)), width), x->getType());
  }
  llvm::Value* const expected = isSigned ? b.CreateAShr(result, width - 1) : llvm::Constant::getNullValue(x->getType());
  return {result, b.CreateICmpNE(upper, expected)};
}

/// `x` with its pieces of `least` bits in reverse order.
llvm::Value* reversed(llvm::IRBuilder<>& b, llvm::Value* x, unsigned least) {
  const unsigned width = x->getType()->getScalarSizeInBits();
  for (unsigned step = width / 2; step >= least; step /= 2) {
    const llvm::APInt mask = llvm::APInt::getSplat(width, llvm::APInt::getLowBitsSet(2 * step, step));
    llvm::Value* const low = llvm::ConstantInt::get(x->getType(), mask);
    x = b.CreateOr(b.CreateAnd(b.CreateLShr(x, step), low), b.CreateShl(b.CreateAnd(x, low), step));
  }
  return x;
}

/// A shift of two values as one, by less than their width: where the amount is not known, a second step by one keeps
/// every amount in range.
llvm::Value* funnelShift(llvm::IRBuilder<>& b, const llvm::IntrinsicInst& call) {
  llvm::Value* const high = call.getArgOperand(0);
  llvm::Value* const low = call.getArgOperand(1);
  llvm::Type* const type = high->getType();
  const unsigned width = type->getScalarSizeInBits();
  const bool left = call.getIntrinsicID() == llvm::Intrinsic::fshl;
  const llvm::APInt* fixed = nullptr;
  if (llvm::PatternMatch::match(call.getArgOperand(2), llvm::PatternMatch::m_APInt(fixed))) {
    const std::uint64_t bits = fixed->urem(width);
    if (bits == 0) return left ? high : low;
    return b.CreateOr(b.CreateShl(high, left ? bits : width - bits), b.CreateLShr(low, left ? width - bits : bits));
  }
  llvm::Constant* const mask = llvm::ConstantInt::get(type, width - 1);
  llvm::Value* const amount = b.CreateAnd(call.getArgOperand(2), mask);
  llvm::Value* const rest = b.CreateXor(amount, mask);
  llvm::Constant* const one = llvm::ConstantInt::get(type, 1);
  if (left) return b.CreateOr(b.CreateShl(high, amount), b.CreateLShr(b.CreateLShr(low, one), rest));
  return b.CreateOr(b.CreateShl(b.CreateShl(high, one), rest), b.CreateLShr(low, amount));
}

/// Stores of a size or value known only at run time become loops; back ends make calls of them.
void expandMemorySets(llvm::Function& function) {
  llvm::SmallVector<llvm::MemSetInst*> found;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const set = llvm::dyn_cast<llvm::MemSetInst>(&instruction);
    if (set && !(llvm::isa<llvm::Constant>(set->getLength()) && llvm::isa<llvm::Constant>(set->getValue())))
      found.push_back(set);
  }
  for (llvm::MemSetInst* set : found) {
    llvm::expandMemSetAsLoop(set);
    set->eraseFromParent();
  }
}

/// The place of the first element that is true, or the number of elements, as LLVM's vectoriser asks where a loop has
/// more ways out than one.
llvm::Value* firstTrue(llvm::IRBuilder<>& b, llvm::Value* elements, llvm::Type* type) {
  const unsigned count = llvm::cast<llvm::FixedVectorType>(elements->getType())->getNumElements();
  llvm::Value* place = llvm::ConstantInt::get(type, count);
  for (unsigned i = count; i-- > 0;)
    place = b.CreateSelect(b.CreateExtractElement(elements, i), llvm::ConstantInt::get(type, i), place);
  return place;
}

/// What takes the place of a rare intrinsic; null for every other.
llvm::Value* expandedIntrinsic(llvm::IRBuilder<>& b, const llvm::IntrinsicInst& call) {
  llvm::Value* const x = call.arg_size() > 0 ? call.getArgOperand(0) : nullptr;
  const bool usualWidth = x && llvm::isPowerOf2_32(x->getType()->getScalarSizeInBits());
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::bitreverse:
      return usualWidth ? reversed(b, x, 1) : nullptr;
    case llvm::Intrinsic::bswap:
      return usualWidth ? reversed(b, x, 8) : nullptr;
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
      return usualWidth ? funnelShift(b, call) : nullptr;
    case llvm::Intrinsic::minimumnum:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, x, call.getArgOperand(1));
    case llvm::Intrinsic::maximumnum:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, x, call.getArgOperand(1));
    case llvm::Intrinsic::lrint:
    case llvm::Intrinsic::llrint:
      return b.CreateFPToSI(b.CreateUnaryIntrinsic(llvm::Intrinsic::rint, x), call.getType());
    case llvm::Intrinsic::lround:
    case llvm::Intrinsic::llround:
      return b.CreateFPToSI(b.CreateUnaryIntrinsic(llvm::Intrinsic::round, x), call.getType());
    case llvm::Intrinsic::experimental_cttz_elts:
      return llvm::isa<llvm::FixedVectorType>(x->getType()) ? firstTrue(b, x, call.getType()) : nullptr;
    case llvm::Intrinsic::canonicalize:
      return b.CreateFMul(x, llvm::ConstantFP::get(x->getType(), 1.0));
    default:
      return nullptr;
  }
}

template <class Make>
void replaceCalls(llvm::Function& function, Make make) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call) continue;
    llvm::IRBuilder<> builder(call);
    llvm::Value* const value = make(builder, *call);
    if (!value) continue;
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

/// Makes 0 of NaN, for which drivers' saturating conversions have other numbers.
///
///   before: %n = call i32 @llvm.fptoui.sat(float %x)    after: %n = …    select i1 (fcmp uno %x, %x), i32 0, i32 %n
void settleNotANumber(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call || (call->getIntrinsicID() != llvm::Intrinsic::fptosi_sat &&
                  call->getIntrinsicID() != llvm::Intrinsic::fptoui_sat))
      continue;
    llvm::IRBuilder<> builder(call->getNextNode());
    llvm::Value* const x = call->getArgOperand(0);
    llvm::Value* const settled =
        builder.CreateSelect(builder.CreateFCmpUNO(x, x), llvm::Constant::getNullValue(call->getType()), call);
    call->replaceUsesWithIf(settled, [&](const llvm::Use& use) { return use.getUser() != settled; });
  }
}

llvm::Value* expandedOverflow(llvm::IRBuilder<>& b, const llvm::IntrinsicInst& call) {
  const auto* const checked = llvm::dyn_cast<llvm::WithOverflowInst>(&call);
  if (!checked) return nullptr;
  const auto [result, overflowed] = checkedArithmetic(b, *checked);
  llvm::Value* const half = b.CreateInsertValue(llvm::PoisonValue::get(call.getType()), result, 0);
  return b.CreateInsertValue(half, overflowed, 1);
}

}  // namespace

llvm::Value* upperHalfOfProduct(llvm::IRBuilderBase& b, llvm::Value* x, llvm::Value* y, bool isSigned) {
  llvm::Value* const upper = unsignedUpperHalf(b, x, y);
  if (!isSigned) return upper;
  // Of two's complement: minus y where x is negative, and minus x where y is (Hacker's Delight, 8-3).
  llvm::Value* const first = b.CreateAnd(b.CreateAShr(x, 63), y);
  return b.CreateSub(b.CreateSub(upper, first), b.CreateAnd(b.CreateAShr(y, 63), x));
}

void expandOverflow(llvm::Function& function) {
  replaceCalls(function, expandedOverflow);
}

void expandIntrinsics(llvm::Function& function) {
  replaceCalls(function, expandedIntrinsic);
  settleNotANumber(function);
  expandMemorySets(function);
}

}  // namespace lathe::detail
