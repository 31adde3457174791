// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fused products, roots and the functions that NVIDIA's GPUs approximate.
#include "dialects/cuda/ptx/instructions.h"

namespace lathe::dialects::ptx {

llvm::Value* flushed(Emitter& e, llvm::Value* value) {
  llvm::Type* const element = value->getType()->getScalarType();
  // Half numbers are flushed by instructions with `.ftz` as well, at their own least normal number.
  if (element->isDoubleTy()) return value;
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Constant* const least =
      llvm::ConstantFP::get(value->getType(), llvm::APFloat::getSmallestNormalized(element->getFltSemantics()));
  llvm::Value* const small = ir.CreateFCmpOLT(e.intrinsic(llvm::Intrinsic::fabs, {value}), least);
  llvm::Value* const zero =
      e.intrinsic(llvm::Intrinsic::copysign, {llvm::Constant::getNullValue(value->getType()), value});
  return ir.CreateSelect(small, zero, value);
}

llvm::Value* saturated(Emitter& e, llvm::Value* value) {
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Constant* const zero = llvm::Constant::getNullValue(value->getType());
  llvm::Constant* const one = llvm::ConstantFP::get(value->getType(), 1.0);
  // The comparison is false of NaN.
  value = ir.CreateSelect(ir.CreateFCmpOGT(value, zero), value, zero);
  return ir.CreateSelect(ir.CreateFCmpOLT(value, one), value, one);
}

void fusedMultiplication(Emitter& e, Words& words, const Instruction& in) {
  (void)words.take("rn");
  const bool flush = words.take("ftz"), saturate = words.take("sat");
  const Type type = words.takeType(e);
  if (type.kind != Kind::real) return e.refuseThis("it has no translation for this type", "compute in float");
  llvm::Value* factors[3];
  for (unsigned i = 0; i < 3; ++i) {
    factors[i] = e.read(in.operands[i + 1], type);
    if (flush) factors[i] = flushed(e, factors[i]);
  }
  llvm::Value* out = e.intrinsic(llvm::Intrinsic::fma, factors);
  if (flush) out = flushed(e, out);
  if (saturate) out = saturated(e, out);
  e.write(in.operands[0], out, type);
}

void approximation(Emitter& e, Words& words, const Instruction& in) {
  const bool approximate = words.take("approx");
  (void)words.take("rn");
  const bool flush = words.take("ftz");
  const Type type = words.takeType(e);
  const std::string& name = in.words.front();
  const bool pairs = name == "ex2" || name == "tanh";
  if (type.kind != Kind::real || (type.isPair && !pairs) ||
      (type.bits == 64 && name != "rcp" && name != "sqrt" && name != "rsqrt"))
    return e.refuseThis("it has no translation for this type", "compute in float");
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* x = e.read(in.operands[1], type);
  if (flush) x = flushed(e, x);
  // The machine's own fast instructions will do, as in CUDA's functions of that kind.
  llvm::IRBuilderBase::FastMathFlagGuard guard(ir);
  llvm::FastMathFlags flags;
  flags.setApproxFunc(approximate && type.bits == 32 && !type.isPair);
  ir.setFastMathFlags(flags);
  const bool widens = type.bits == 16 || type.isPair;
  llvm::Type* const own = x->getType();
  if (widens) x = ir.CreateFPExt(x, own->getWithNewType(ir.getFloatTy()));
  llvm::Constant* const one = llvm::ConstantFP::get(x->getType(), 1.0);
  llvm::Value* out = nullptr;
  if (name == "rcp")
    out = ir.CreateFDiv(one, x);
  else if (name == "sqrt")
    out = e.intrinsic(llvm::Intrinsic::sqrt, {x});
  else if (name == "rsqrt")
    out = ir.CreateFDiv(one, e.intrinsic(llvm::Intrinsic::sqrt, {x}));
  else if (name == "sin")
    out = e.intrinsic(llvm::Intrinsic::sin, {x});
  else if (name == "cos")
    out = e.intrinsic(llvm::Intrinsic::cos, {x});
  else if (name == "ex2")
    out = e.intrinsic(llvm::Intrinsic::exp2, {x});
  else if (name == "lg2")
    out = e.intrinsic(llvm::Intrinsic::log2, {x});
  else
    out = e.intrinsic(llvm::Intrinsic::tanh, {x});
  if (widens) out = ir.CreateFPTrunc(out, own);
  if (flush) out = flushed(e, out);
  e.write(in.operands[0], out, type);
}

}  // namespace lathe::dialects::ptx
