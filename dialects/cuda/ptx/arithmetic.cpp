// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, products and quotients of integers, with carries; sums, products and quotients of floating-point numbers.
#include "dialects/cuda/ptx/instructions.h"

namespace lathe::dialects::ptx {
namespace {

/// Takes the words of an operation whose result is the nearest number. Others are refused by being left.
struct Rounding {
  bool flush, saturate;

  explicit Rounding(Words& words) {
    (void)words.take("rn");
    flush = words.take("ftz");
    saturate = words.take("sat");
  }
  llvm::Value* in(Emitter& emitter, llvm::Value* value) const { return flush ? flushed(emitter, value) : value; }
  llvm::Value* out(Emitter& emitter, llvm::Value* value) const {
    value = in(emitter, value);
    return saturate ? saturated(emitter, value) : value;
  }
};

void floatingOperation(Emitter& e, Words& words, const Instruction& in, Type type) {
  if (type.kind == Kind::brain) return e.refuseThis("bfloat16 arithmetic has no translation", "compute in float");
  if (type.bits == 32 && !type.isPair && (words.take("approx") || words.take("full"))) {
    // The nearest result is within the bounds of the approximate one.
  }
  const Rounding rounding(words);
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const a = rounding.in(e, e.read(in.operands[1], type));
  llvm::Value* const b = rounding.in(e, e.read(in.operands[2], type));
  const std::string& name = in.words.front();
  llvm::Value* const result = name == "add"   ? ir.CreateFAdd(a, b)
                              : name == "sub" ? ir.CreateFSub(a, b)
                              : name == "mul" ? ir.CreateFMul(a, b)
                                              : ir.CreateFDiv(a, b);
  e.write(in.operands[0], rounding.out(e, result), type);
}

/// a + b + carry or a - b - carry; the carry is optional, the flag is written where `.cc` says so.
llvm::Value* sum(Emitter& e, llvm::Value* a, llvm::Value* b, bool subtracts, llvm::Value* carry, bool setsCarry) {
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* out = subtracts ? ir.CreateSub(a, b) : ir.CreateAdd(a, b);
  llvm::Value* flag = subtracts ? ir.CreateICmpULT(a, b) : ir.CreateICmpULT(out, a);
  if (carry) {
    llvm::Value* const wide = ir.CreateZExt(carry, out->getType());
    llvm::Value* const before = out;
    out = subtracts ? ir.CreateSub(before, wide) : ir.CreateAdd(before, wide);
    flag = ir.CreateOr(flag, subtracts ? ir.CreateICmpULT(before, wide) : ir.CreateICmpULT(out, before));
  }
  if (setsCarry) e.setCarry(flag);
  return out;
}

llvm::Value* widened(Emitter& e, llvm::Value* value, bool isSigned, unsigned bits) {
  return e.ir().CreateIntCast(value, e.integer(bits), isSigned);
}

llvm::Value* highHalf(Emitter& e, llvm::Value* a, llvm::Value* b, Type type) {
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const product =
      ir.CreateMul(widened(e, a, type.isSigned(), type.bits * 2), widened(e, b, type.isSigned(), type.bits * 2));
  return ir.CreateTrunc(ir.CreateLShr(product, type.bits), e.integer(type.bits));
}

/// The sum of 32 bits that ends at the greatest or least number.
llvm::Value* saturatedSum(Emitter& e, llvm::Value* a, llvm::Value* b, bool subtracts) {
  return e.intrinsic(subtracts ? llvm::Intrinsic::ssub_sat : llvm::Intrinsic::sadd_sat, {a, b});
}

void integerSum(Emitter& e, Words& words, const Instruction& in, bool withCarry) {
  const bool subtracts = in.words.front().starts_with("sub");
  const bool setsCarry = words.take("cc");
  const bool saturates = words.take("sat");
  const Type type = words.takeInteger(e);
  llvm::Value* const a = e.read(in.operands[1], type);
  llvm::Value* const b = e.read(in.operands[2], type);
  if (saturates && (type != Type{Kind::signedInteger, 32} || setsCarry || withCarry))
    return e.refuseThis("'.sat' is for .s32", "saturate in C++");
  llvm::Value* const out = saturates ? saturatedSum(e, a, b, subtracts)
                                     : sum(e, a, b, subtracts, withCarry ? e.carry() : nullptr, setsCarry);
  e.write(in.operands[0], out, type);
}

/// What stands between the two words is added up: `.lo`, `.hi` or the whole product, `.wide`.
void integerProduct(Emitter& e, Words& words, const Instruction& in) {
  const bool adds = in.words.front() != "mul";
  const bool withCarry = in.words.front() == "madc";
  const bool setsCarry = words.take("cc");
  const bool saturates = words.take("sat");
  const llvm::StringRef part = words.takeOneOf({"lo", "hi", "wide"});
  const Type type = words.takeInteger(e);
  if (part.empty()) return e.refuseThis("it lacks '.lo', '.hi' or '.wide'", "compare it with NVIDIA's PTX ISA");
  if (part == "wide" && (setsCarry || withCarry || type.bits > 32))
    return e.refuseThis("'.wide' is for 16 and 32 bits, and has no carry", "compare it with NVIDIA's PTX ISA");
  if (saturates && (part != "hi" || type != Type{Kind::signedInteger, 32}))
    return e.refuseThis("'.sat' is for '.hi.s32'", "saturate in C++");
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* a = e.read(in.operands[1], type);
  llvm::Value* b = e.read(in.operands[2], type);
  Type out = type;
  llvm::Value* product = nullptr;
  if (part == "wide") {
    out.bits *= 2;
    product = ir.CreateMul(widened(e, a, type.isSigned(), out.bits), widened(e, b, type.isSigned(), out.bits));
  } else {
    product = part == "hi" ? highHalf(e, a, b, type) : ir.CreateMul(a, b);
  }
  if (adds) {
    llvm::Value* const c = e.read(in.operands[3], out);
    product = saturates ? saturatedSum(e, product, c, false)
                        : sum(e, product, c, false, withCarry ? e.carry() : nullptr, setsCarry);
  }
  e.write(in.operands[0], product, out);
}

/// The least significant 24 bits of a factor, extended to 32.
llvm::Value* low24(Emitter& e, const Operand& operand, Type type) {
  llvm::Value* const value = e.ir().CreateShl(e.read(operand, type), 8);
  return type.isSigned() ? e.ir().CreateAShr(value, 8) : e.ir().CreateLShr(value, 8);
}

}  // namespace

void addition(Emitter& e, Words& words, const Instruction& in) {
  const auto type = typeOf(in.words.back());
  if (!type || !type->isReal()) return integerSum(e, words, in, /*withCarry=*/false);
  (void)words.take(in.words.back());
  floatingOperation(e, words, in, *type);
}

void additionWithCarry(Emitter& e, Words& words, const Instruction& in) {
  integerSum(e, words, in, /*withCarry=*/true);
}

void multiplication(Emitter& e, Words& words, const Instruction& in) {
  const auto type = typeOf(in.words.back());
  if (!type || !type->isReal()) return integerProduct(e, words, in);
  if (in.words.front() == "mad") return fusedMultiplication(e, words, in);
  (void)words.take(in.words.back());
  floatingOperation(e, words, in, *type);
}

void multiplication24(Emitter& e, Words& words, const Instruction& in) {
  const bool high = words.takeOneOf({"lo", "hi"}) == "hi";
  const Type type = words.takeInteger(e);
  if (type.bits != 32 || !type.isInteger()) return e.refuseThis("it is for 32 bits", "use .u32 or .s32");
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const a = widened(e, low24(e, in.operands[1], type), type.isSigned(), 64);
  llvm::Value* const b = widened(e, low24(e, in.operands[2], type), type.isSigned(), 64);
  // The product has 48 bits: `.hi` are its upper 32.
  llvm::Value* out = ir.CreateTrunc(ir.CreateLShr(ir.CreateMul(a, b), high ? 16 : 0), e.integer(32));
  if (in.words.front() == "mad24") out = ir.CreateAdd(out, e.read(in.operands[3], type));
  e.write(in.operands[0], out, type);
}

void sumOfDifference(Emitter& e, Words& words, const Instruction& in) {
  const Type type = words.takeInteger(e);
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const a = e.read(in.operands[1], type);
  llvm::Value* const b = e.read(in.operands[2], type);
  llvm::Value* const less = type.isSigned() ? ir.CreateICmpSLT(a, b) : ir.CreateICmpULT(a, b);
  llvm::Value* const difference = ir.CreateSelect(less, ir.CreateSub(b, a), ir.CreateSub(a, b));
  e.write(in.operands[0], ir.CreateAdd(difference, e.read(in.operands[3], type)), type);
}

void division(Emitter& e, Words& words, const Instruction& in) {
  const auto named = typeOf(in.words.back());
  if (named && named->isReal()) {
    if (in.words.front() == "rem") return e.refuseThis("it is for integers", "use fmodf");
    (void)words.take(in.words.back());
    return floatingOperation(e, words, in, *named);
  }
  const Type type = words.takeInteger(e);
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const a = e.read(in.operands[1], type);
  llvm::Value* b = e.read(in.operands[2], type);
  // Neither a zero nor the one quotient that does not fit ends the item in CUDA; both are undefined in LLVM's IR.
  llvm::Value* isUndefined = ir.CreateIsNull(b);
  if (type.isSigned()) {
    llvm::Value* const least = llvm::ConstantInt::get(b->getType(), llvm::APInt::getSignedMinValue(type.bits));
    llvm::Value* const minusOne = llvm::Constant::getAllOnesValue(b->getType());
    isUndefined = ir.CreateOr(isUndefined, ir.CreateAnd(ir.CreateICmpEQ(a, least), ir.CreateICmpEQ(b, minusOne)));
  }
  b = ir.CreateSelect(isUndefined, llvm::ConstantInt::get(b->getType(), 1), b);
  const bool remains = in.words.front() == "rem";
  llvm::Value* const out = type.isSigned() ? (remains ? ir.CreateSRem(a, b) : ir.CreateSDiv(a, b))
                                           : (remains ? ir.CreateURem(a, b) : ir.CreateUDiv(a, b));
  e.write(in.operands[0], out, type);
}

void dotProduct(Emitter& e, Words& words, const Instruction& in) {
  const bool four = in.words.front() == "dp4a";
  const llvm::StringRef half = four ? llvm::StringRef() : words.takeOneOf({"lo", "hi"});
  const Type left = words.takeInteger(e, 32), right = words.takeInteger(e, 32);
  if (!four && half.empty()) return e.refuseThis("it lacks '.lo' or '.hi'", "compare it with NVIDIA's PTX ISA");
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const a = e.read(in.operands[1], left);
  llvm::Value* const b = e.read(in.operands[2], right);
  const bool isSigned = left.isSigned() || right.isSigned();
  llvm::Value* out = e.read(in.operands[3], {isSigned ? Kind::signedInteger : Kind::unsignedInteger, 32});
  const auto element = [&](llvm::Value* word, unsigned at, unsigned bits, bool hasSign) {
    return widened(e, ir.CreateTrunc(ir.CreateLShr(word, at), e.integer(bits)), hasSign, 32);
  };
  for (unsigned i = 0; i < (four ? 4U : 2U); ++i) {
    llvm::Value* const x = four ? element(a, 8 * i, 8, left.isSigned()) : element(a, 16 * i, 16, left.isSigned());
    llvm::Value* const y = element(b, 8 * i + (half == "hi" ? 16 : 0), 8, right.isSigned());
    out = ir.CreateAdd(out, ir.CreateMul(x, y));
  }
  e.write(in.operands[0], out, {Kind::bits, 32});
}

}  // namespace lathe::dialects::ptx
