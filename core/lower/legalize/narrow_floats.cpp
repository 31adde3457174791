// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on bfloat16 and half for processors that have no such type: in single precision, with conversions by
// integers, of any number of elements. LLVM's code generator would call the compiler's library once an element, which
// not every library has the functions for (GCC's has __truncsfbf2 from 13 on). Numbers are rounded to nearest, ties to
// even; a double is first rounded to odd, so that rounding again does what rounding once would (Boldo and Melquiond,
// "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008).
//
//   before: %s = fadd bfloat %a, %b
//   after:  %s = the float sum's bits, plus 0x7fff and its bit 16, their upper half
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Target/TargetMachine.h"

#include "core/lower/legalize/legalize.h"

namespace lathe::detail {
namespace {

using llvm::Instruction;
using llvm::Type;
using llvm::Value;

/// The narrow types that the processor of a function lacks.
struct Lacking {
  bool bfloat = false;
  bool half = false;

  [[nodiscard]] bool has(const Type* type) const {
    const Type* const element = type->getScalarType();
    return (bfloat && element->isBFloatTy()) || (half && element->isHalfTy());
  }
};

class Converter {
 public:
  explicit Converter(Instruction& instruction) : b_(&instruction) {}

  /// A narrow number as a float; all are.
  Value* widened(Value* value) {
    Value* const bits = b_.CreateZExt(bitsOf(value, 16), integers(value->getType(), 32));
    if (value->getType()->getScalarType()->isBFloatTy()) return asFloat(b_.CreateShl(bits, 16));
    // The exponent moves to its new place and by the difference of the biases; infinity, NaN and what has no exponent
    // once more. The last is made normal by a subtraction.
    Value* const magnitude = b_.CreateShl(b_.CreateAnd(bits, 0x7fff), 13);
    Value* const exponent = b_.CreateAnd(magnitude, 0x7c00 << 13);
    Value* const moved = add(magnitude, 112U << 23);
    Value* const special = b_.CreateICmpEQ(exponent, same(bits, 0x7c00U << 13));
    Value* const isSmall = b_.CreateICmpEQ(exponent, same(bits, 0));
    Value* const normal =
        b_.CreateFSub(asFloat(add(moved, 1U << 23)), llvm::ConstantFP::get(floats(value->getType()), 0x1p-14));
    Value* const usual = b_.CreateSelect(special, add(moved, 112U << 23), moved);
    Value* const out = b_.CreateSelect(isSmall, bitsOf(normal, 32), usual);
    return asFloat(b_.CreateOr(out, b_.CreateShl(b_.CreateAnd(bits, 0x8000), 16)));
  }

  /// A float or double as the narrow `type`.
  Value* narrowed(Value* value, Type* type) {
    if (value->getType()->getScalarType()->isDoubleTy()) value = roundedToOdd(value);
    Value* const bits = bitsOf(value, 32);
    Value* const out = type->getScalarType()->isBFloatTy() ? bfloatBits(value, bits) : halfBits(bits);
    return b_.CreateBitCast(b_.CreateTrunc(out, integers(type, 16)), type);
  }

  llvm::IRBuilder<>& builder() { return b_; }
  /// float, or a vector of as many as `like` has elements.
  Type* floats(Type* like) { return like->getWithNewType(b_.getFloatTy()); }
  Type* doubles(Type* like) { return like->getWithNewType(b_.getDoubleTy()); }
  Value* bitsOf(Value* value, unsigned width) { return b_.CreateBitCast(value, integers(value->getType(), width)); }

 private:
  Type* integers(Type* like, unsigned width) { return like->getWithNewType(b_.getIntNTy(width)); }
  Value* asFloat(Value* bits) { return b_.CreateBitCast(bits, floats(bits->getType())); }
  static llvm::Constant* same(Value* like, std::uint64_t number) {
    return llvm::ConstantInt::get(like->getType(), number);
  }
  Value* add(Value* value, std::uint64_t number) { return b_.CreateAdd(value, same(value, number)); }

  Value* bfloatBits(Value* value, Value* bits) {
    Value* const upper = b_.CreateLShr(bits, 16);
    Value* const rounded = b_.CreateLShr(b_.CreateAdd(add(bits, 0x7fff), b_.CreateAnd(upper, 1)), 16);
    Value* const quiet = b_.CreateOr(upper, 0x40);
    return b_.CreateSelect(b_.CreateFCmpUNO(value, value), quiet, rounded);
  }

  Value* halfBits(Value* bits) {
    Value* const magnitude = b_.CreateAnd(bits, 0x7fffffff);
    Value* const lowest = b_.CreateAnd(b_.CreateLShr(magnitude, 13), 1);
    Value* const normal = b_.CreateLShr(b_.CreateAdd(add(magnitude, 0xfff - (112ULL << 23)), lowest), 13);
    // A half has the last place of all numbers below 2^-14; so have floats of 0.5 and more.
    Value* const half = llvm::ConstantFP::get(floats(bits->getType()), 0.5);
    Value* const small = b_.CreateSub(bitsOf(b_.CreateFAdd(asFloat(magnitude), half), 32), bitsOf(half, 32));
    Value* const nan = b_.CreateOr(b_.CreateAnd(b_.CreateLShr(magnitude, 13), 0x3ff), 0x7e00);
    Value* const special =
        b_.CreateSelect(b_.CreateICmpUGT(magnitude, same(bits, 0x7f800000)), nan, same(bits, 0x7c00));
    Value* const finite = b_.CreateSelect(b_.CreateICmpULT(magnitude, same(bits, 0x38800000)), small, normal);
    Value* const out = b_.CreateSelect(b_.CreateICmpUGE(magnitude, same(bits, 0x47800000)), special, finite);
    return b_.CreateOr(out, b_.CreateAnd(b_.CreateLShr(bits, 16), 0x8000));
  }

  /// The float towards zero, with its last bit set if something is lost.
  Value* roundedToOdd(Value* value) {
    Value* const nearest = b_.CreateFPTrunc(value, floats(value->getType()));
    Value* const back = b_.CreateFPExt(nearest, value->getType());
    Value* const bits = bitsOf(nearest, 32);
    const auto magnitude = [&](Value* number) { return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, number); };
    Value* const isAbove = b_.CreateFCmpOGT(magnitude(back), magnitude(value));
    Value* const below = b_.CreateSelect(isAbove, add(bits, ~std::uint64_t{0}), bits);
    Value* const isExact = b_.CreateNot(b_.CreateFCmpONE(back, value));
    return asFloat(b_.CreateSelect(isExact, bits, b_.CreateOr(below, 1)));
  }

  llvm::IRBuilder<> b_;
};

/// The same intrinsic on floats; null if it is none of those that work element by element.
Value* intrinsicOnFloats(llvm::IntrinsicInst& call, Converter& convert, const Lacking& lacking) {
  // A number's class is another where its type is wider, and is told by its bits.
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (!llvm::isTriviallyVectorizable(id) || id == llvm::Intrinsic::is_fpclass || call.getType()->isStructTy())
    return nullptr;
  // A product and a sum that are rounded once: as a float the sum would be rounded before.
  const bool isFused = id == llvm::Intrinsic::fma || id == llvm::Intrinsic::fmuladd;
  llvm::SmallVector<Type*> overloads;
  if (!llvm::Intrinsic::getIntrinsicSignature(call.getCalledFunction(), overloads)) return nullptr;
  for (Type*& type : overloads)
    if (lacking.has(type)) type = isFused ? convert.doubles(type) : convert.floats(type);
  llvm::SmallVector<Value*> arguments;
  for (Value* argument : call.args()) {
    Type* const type = argument->getType();
    Value* const wide = lacking.has(type) ? convert.widened(argument) : argument;
    arguments.push_back(isFused ? convert.builder().CreateFPExt(wide, convert.doubles(type)) : wide);
  }
  return convert.builder().CreateIntrinsic(id, overloads, arguments);
}

/// An integer as one that a floating-point number of `held` bits holds exactly: itself, or with the last `fewer` bits
/// zero and the one before them set if something is lost.
Value* withBits(unsigned held, unsigned fewer, Value* from, bool isSigned, llvm::IRBuilder<>& b) {
  Type* const type = from->getType();
  if (type->getScalarSizeInBits() <= held + (isSigned ? 1 : 0)) return from;
  const auto constant = [&](std::uint64_t value) { return llvm::ConstantInt::get(type, value); };
  const std::uint64_t last = std::uint64_t{1} << fewer;
  Value* const rest = b.CreateAnd(from, constant(last - 1));
  Value* const lost = b.CreateSelect(b.CreateIsNull(rest), constant(0), constant(last));
  Value* const rounded = b.CreateOr(b.CreateXor(from, rest), lost);
  Value* const shifted = isSigned ? b.CreateAdd(from, constant(std::uint64_t{1} << held)) : from;
  Value* const fits = b.CreateICmpULT(shifted, constant(std::uint64_t{1} << (isSigned ? held + 1 : held)));
  return b.CreateSelect(fits, from, rounded);
}

/// An integer as a narrow number: through a float that holds it but for bits that count only together, of more than 32
/// bits through a double. Null: it has more than 64 bits.
Value* fromInteger(Instruction& instruction, Converter& convert) {
  constexpr unsigned floatBits = 24, doubleBits = 53, shortBits = 32, mostBits = 64;
  Value* from = instruction.getOperand(0);
  Type* const type = instruction.getType();
  const unsigned bits = from->getType()->getScalarSizeInBits();
  if (bits > mostBits) return nullptr;
  const bool isShort = bits <= shortBits;
  const unsigned held = isShort ? floatBits : doubleBits;
  const unsigned most = isShort ? shortBits : mostBits;
  from = withBits(held, most - held + (isShort ? 0 : 1), from, instruction.getOpcode() == Instruction::SIToFP,
                  convert.builder());
  Type* const through = isShort ? convert.floats(type) : convert.doubles(type);
  const auto operation = static_cast<Instruction::CastOps>(instruction.getOpcode());
  return convert.narrowed(convert.builder().CreateCast(operation, from, through), type);
}

/// What replaces an instruction; null for those that compute nothing with narrow numbers.
Value* replacement(Instruction& instruction, const Lacking& lacking) {
  Type* const type = instruction.getType();
  Converter convert(instruction);
  llvm::IRBuilder<>& b = convert.builder();
  Value* const first = instruction.getNumOperands() > 0 ? instruction.getOperand(0) : nullptr;
  const auto operand = [&](unsigned i) { return convert.widened(instruction.getOperand(i)); };
  switch (instruction.getOpcode()) {
    case Instruction::FPTrunc:
      return lacking.has(type) ? convert.narrowed(first, type) : nullptr;
    case Instruction::FPExt: {
      if (!lacking.has(first->getType())) return nullptr;
      Value* const wide = operand(0);
      return wide->getType() == type ? wide : b.CreateFPExt(wide, type);
    }
    case Instruction::UIToFP:
    case Instruction::SIToFP:
      return lacking.has(type) ? fromInteger(instruction, convert) : nullptr;
    case Instruction::FPToUI:
    case Instruction::FPToSI:
      if (!lacking.has(first->getType())) return nullptr;
      return b.CreateCast(static_cast<Instruction::CastOps>(instruction.getOpcode()), operand(0), type);
    case Instruction::FNeg:
      if (!lacking.has(type)) return nullptr;
      return b.CreateBitCast(b.CreateXor(convert.bitsOf(first, 16), 0x8000), type);
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FDiv:
    case Instruction::FRem:
      if (!lacking.has(type)) return nullptr;
      return convert.narrowed(
          b.CreateBinOp(static_cast<Instruction::BinaryOps>(instruction.getOpcode()), operand(0), operand(1)), type);
    case Instruction::FCmp:
      if (!lacking.has(first->getType())) return nullptr;
      return b.CreateFCmp(llvm::cast<llvm::FCmpInst>(instruction).getPredicate(), operand(0), operand(1));
    case Instruction::Call: {
      auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      const bool isNarrow = call && (lacking.has(type) || llvm::any_of(call->args(), [&](const llvm::Use& argument) {
                                       return lacking.has(argument->getType());
                                     }));
      Value* const wide = isNarrow ? intrinsicOnFloats(*call, convert, lacking) : nullptr;
      return wide && lacking.has(type) ? convert.narrowed(wide, type) : wide;
    }
    default:
      return nullptr;
  }
}

void widen(llvm::Function& function, const Lacking& lacking) {
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    Value* const made = replacement(instruction, lacking);
    if (!made) continue;
    instruction.replaceAllUsesWith(made);
    instruction.eraseFromParent();
  }
}

}  // namespace

void widenBfloats(llvm::Function& function) {
  widen(function, {.bfloat = true, .half = false});
}

void widenNarrowFloats(llvm::Function& function, const llvm::TargetMachine& machine) {
  const llvm::TargetLowering* const facts = machine.getSubtargetImpl(function)->getTargetLowering();
  // Some have instructions for vectors alone, which serve single numbers too.
  const Lacking lacking{.bfloat = !facts->isTypeLegal(llvm::MVT::bf16) && !facts->isTypeLegal(llvm::MVT::v8bf16),
                        .half = !facts->isTypeLegal(llvm::MVT::f16)};
  if (lacking.bfloat || lacking.half) widen(function, lacking);
}

}  // namespace lathe::detail
