// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves, vectors of registers, conversions of numbers and of addresses.
#include "dialects/cuda/ptx/address.h"
#include "dialects/cuda/ptx/instructions.h"

namespace lathe::dialects::ptx {
namespace {

/// `mov.b64 d, {a, b}`: the first element has the lowest bits.
void pack(Emitter& e, const Instruction& in, Type type) {
  const std::vector<Operand>& parts = in.operands[1].parts;
  const auto bits = static_cast<unsigned>(type.bits / parts.size());
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* out = nullptr;
  for (unsigned i = 0; i < parts.size(); ++i) {
    llvm::Value* const part = ir.CreateZExt(e.read(parts[i], {Kind::bits, bits}), e.integer(type.bits));
    out = out ? ir.CreateOr(out, ir.CreateShl(part, i * bits)) : part;
  }
  e.write(in.operands[0], out, type);
}

void unpack(Emitter& e, const Instruction& in, Type type) {
  const std::vector<Operand>& parts = in.operands[0].parts;
  const auto bits = static_cast<unsigned>(type.bits / parts.size());
  llvm::Value* const value = e.read(in.operands[1], {Kind::bits, type.bits});
  for (unsigned i = 0; i < parts.size(); ++i) {
    e.write(parts[i], e.ir().CreateTrunc(e.ir().CreateLShr(value, i * bits), e.integer(bits)), {Kind::bits, bits});
  }
}

bool isEvenVector(Emitter& e, const Operand& operand, Type type) {
  const std::size_t count = operand.parts.size();
  if ((count == 2 || count == 4) && type.bits / count >= 8) return true;
  e.refuseThis("a vector does not divide its type", "give it two or four registers");
  return false;
}

/// The nearest bfloat16 of a float, ties to even: its upper half. NaN becomes the one that the hardware gives.
llvm::Value* toBrain(Emitter& e, llvm::Value* number) {
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const bits = ir.CreateBitCast(number, e.integer(32));
  llvm::Value* const odd = ir.CreateAnd(ir.CreateLShr(bits, 16), 1);
  llvm::Value* const rounded = ir.CreateLShr(ir.CreateAdd(bits, ir.CreateAdd(odd, e.number(32, 0x7fff))), 16);
  llvm::Value* const out = ir.CreateSelect(ir.CreateFCmpUNO(number, number), e.number(32, 0x7fff), rounded);
  return ir.CreateTrunc(out, e.integer(16));
}

/// The nearest number with ten digits behind the point, halves away from zero.
llvm::Value* toTensorFloat(Emitter& e, llvm::Value* number) {
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const bits = ir.CreateBitCast(number, e.integer(32));
  llvm::Value* const rounded = ir.CreateAnd(ir.CreateAdd(bits, e.number(32, 0x1000)), e.number(32, 0xffffe000U));
  llvm::Value* const magnitude = ir.CreateAnd(bits, e.number(32, 0x7fffffffU));
  llvm::Value* const isFinite = ir.CreateICmpULT(magnitude, e.number(32, 0x7f800000U));
  llvm::Value* const isNan = ir.CreateICmpUGT(magnitude, e.number(32, 0x7f800000U));
  return ir.CreateSelect(isNan, e.number(32, 0x7fffffffU), ir.CreateSelect(isFinite, rounded, bits));
}

/// A whole number of the same type, by `.rni`, `.rzi`, `.rmi`, `.rpi`.
llvm::Value* toWhole(Emitter& e, llvm::Value* value, llvm::StringRef rounding) {
  const auto id = rounding == "rni"   ? llvm::Intrinsic::rint
                  : rounding == "rzi" ? llvm::Intrinsic::trunc
                  : rounding == "rmi" ? llvm::Intrinsic::floor
                                      : llvm::Intrinsic::ceil;
  return e.intrinsic(id, {value});
}

llvm::Value* realToInteger(Emitter& e, llvm::Value* value, Type to, llvm::StringRef rounding) {
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Type* const type = e.integer(to.bits);
  const bool goesWide = value->getType()->isDoubleTy() || to.bits == 64;
  value = toWhole(e, value, rounding);
  const auto id = to.isSigned() ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  llvm::Value* const out = ir.CreateIntrinsic(id, {type, value->getType()}, {value});
  if (!goesWide) return out;  // NaN is 0
  llvm::Constant* const ofNan = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(to.bits));
  return ir.CreateSelect(ir.CreateFCmpUNO(value, value), ofNan, out);
}

llvm::Value* saturatedInteger(Emitter& e, llvm::Value* value, Type from, Type to) {
  llvm::IRBuilder<>& ir = e.ir();
  // As a number of more bits than both have, the comparison is of what is meant.
  const unsigned bits = std::max(from.bits, to.bits) + 1;
  value = ir.CreateIntCast(value, e.integer(bits), from.isSigned());
  const llvm::APInt least = to.isSigned() ? llvm::APInt::getSignedMinValue(to.bits).sext(bits) : llvm::APInt(bits, 0);
  const llvm::APInt most =
      to.isSigned() ? llvm::APInt::getSignedMaxValue(to.bits).sext(bits) : llvm::APInt::getMaxValue(to.bits).zext(bits);
  llvm::Constant* const low = llvm::ConstantInt::get(e.integer(bits), least);
  llvm::Constant* const high = llvm::ConstantInt::get(e.integer(bits), most);
  value = ir.CreateSelect(ir.CreateICmpSLT(value, low), low, value);
  value = ir.CreateSelect(ir.CreateICmpSGT(value, high), high, value);
  return ir.CreateTrunc(value, e.integer(to.bits));
}

/// `cvt.rn.f16x2.f32 d, a, b`: a becomes the upper half.
void convertPair(Emitter& e, Words& words, const Instruction& in, Type to) {
  const bool nearest = words.take("rn");
  const bool relu = words.take("relu");
  const Type from = words.takeType(e);
  if (!nearest || relu || from != Type{Kind::real, 32})
    return e.refuseThis("this form has no translation", "round to the nearest of two floats, '.rn'");
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* out = nullptr;
  for (const unsigned i : {1U, 2U}) {
    llvm::Value* const value = e.read(in.operands[i], from);
    llvm::Value* half = to.kind == Kind::brain
                            ? toBrain(e, value)
                            : ir.CreateBitCast(ir.CreateFPTrunc(value, ir.getHalfTy()), e.integer(16));
    half = ir.CreateZExt(half, e.integer(32));
    out = out ? ir.CreateOr(ir.CreateShl(out, 16), half) : half;
  }
  e.write(in.operands[0], out, {Kind::bits, 32});
}

}  // namespace

void move(Emitter& e, Words& words, const Instruction& in) {
  const Type type = words.takeType(e);
  if (in.operands[1].kind == Operand::Kind::vector) {
    if (isEvenVector(e, in.operands[1], type)) pack(e, in, type);
    return;
  }
  if (in.operands[0].kind == Operand::Kind::vector) {
    if (isEvenVector(e, in.operands[0], type)) unpack(e, in, type);
    return;
  }
  if (in.operands[1].kind == Operand::Kind::label)
    return e.refuseThis("the address of '" + in.operands[1].name + "' is taken by its name",
                        "pass the address as an operand, \"l\"");
  // A pointer that is moved stays one.
  if (llvm::Value* const value = e.held(in.operands[1]); value && value->getType()->isPointerTy() && type.bits == 64)
    return e.write(in.operands[0], value, type);
  e.write(in.operands[0], e.read(in.operands[1], type), type);
}

void convert(Emitter& e, Words& words, const Instruction& in) {
  if (words.take("tf32")) {
    if (!words.take("rna") || words.takeType(e) != Type{Kind::real, 32})
      return e.refuseThis("this form has no translation", "use 'cvt.rna.tf32.f32'");
    return e.write(in.operands[0], toTensorFloat(e, e.read(in.operands[1], {Kind::real, 32})), {Kind::bits, 32});
  }
  const Type to = words.takeType(e);
  if (to.isPair || in.operands.size() == 3) {
    if (to.isPair && in.operands.size() == 3) return convertPair(e, words, in, to);
    return e.refuseThis("this form has no translation", "convert two floats to a pair, 'cvt.rn.f16x2.f32'");
  }
  const bool saturate = words.take("sat"), flush = words.take("ftz");
  const llvm::StringRef whole = words.takeOneOf({"rni", "rzi", "rmi", "rpi"});
  const bool nearest = words.take("rn");
  const Type from = words.takeType(e);
  if (from.isPair || from.kind == Kind::predicate || to.kind == Kind::predicate || from.bits > 64 || to.bits > 64)
    return e.refuseThis("this form has no translation", "convert numbers of at most 64 bits one by one");
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* value = e.read(in.operands[1], from, /*mayBeWider=*/true);
  if (from.kind == Kind::brain)
    value = ir.CreateBitCast(ir.CreateShl(ir.CreateZExt(value, e.integer(32)), 16), ir.getFloatTy());
  if (flush && value->getType()->isFloatTy()) value = flushed(e, value);
  if (from.isReal() && to.isInteger()) {
    if (whole.empty()) return e.refuseThis("it lacks a rounding, '.rni' or '.rzi'", "compare it with NVIDIA's PTX ISA");
    // Saturation is the conversion's own.
    return e.write(in.operands[0], realToInteger(e, value, to, whole), to, /*mayBeWider=*/true);
  }
  if (from.isInteger() && to.isInteger()) {
    value =
        saturate ? saturatedInteger(e, value, from, to) : ir.CreateIntCast(value, e.integer(to.bits), from.isSigned());
    return e.write(in.operands[0], value, to, /*mayBeWider=*/true);
  }
  if (from.isInteger()) {
    if (!nearest || to.kind == Kind::brain)
      return e.refuseThis("its rounding has no translation", "use '.rn', or CUDA's functions such as __int2float_rz");
    llvm::Type* const type = e.irType(to);
    value = from.isSigned() ? ir.CreateSIToFP(value, type) : ir.CreateUIToFP(value, type);
  } else {
    if (!whole.empty()) value = toWhole(e, value, whole);
    const unsigned width = static_cast<unsigned>(value->getType()->getPrimitiveSizeInBits().getFixedValue());
    const bool narrows = to.bits < width && from.kind != Kind::brain;
    if (narrows && !nearest)
      return e.refuseThis("its rounding has no translation",
                          "use '.rn', or CUDA's functions such as __double2float_rz");
    if (to.kind == Kind::brain) {
      if (width != 32) return e.refuseThis("this form has no translation", "convert a float");
      value = toBrain(e, value);
      return saturate ? e.refuseThis("this form has no translation", "saturate in float")
                      : e.write(in.operands[0], value, to);
    }
    value = ir.CreateFPCast(value, e.irType(to));
    if (flush && to.bits == 32) value = flushed(e, value);
  }
  e.write(in.operands[0], saturate ? saturated(e, value) : value, to);
}

void convertAddress(Emitter& e, Words& words, const Instruction& in) {
  const bool toSpace = words.take("to");
  const llvm::StringRef space = words.takeOneOf({"global", "shared", "shared::cta", "const", "local", "param"});
  const Type type = words.takeType(e);
  if (space.empty() || !type.isInteger() || (type.bits != 32 && type.bits != 64))
    return e.refuseThis("it names no memory", "compare it with NVIDIA's PTX ISA");
  if (!space.starts_with("shared")) {
    // Off NVIDIA's GPUs these have their generic address.
    if (llvm::Value* const value = e.held(in.operands[1]); value && value->getType()->isPointerTy())
      return e.write(in.operands[0], value, type);
    return e.write(in.operands[0], e.read(in.operands[1], type), type);
  }
  if (toSpace)
    return e.write(in.operands[0], sharedAddress(e, addressOf(e, in.operands[1], Space::generic), type.bits), type);
  llvm::Value* const pointer = addressOf(e, in.operands[1], Space::shared);
  e.write(in.operands[0], pointer, {Kind::bits, 64});
}

}  // namespace lathe::dialects::ptx
