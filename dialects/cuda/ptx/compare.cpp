// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons, selections, extremes and signs.
#include "dialects/cuda/ptx/instructions.h"

namespace lathe::dialects::ptx {
namespace {

/// A word of setp and what it is in LLVM, of signed, unsigned and floating-point numbers.
struct Comparison {
  llvm::StringRef word;
  llvm::CmpInst::Predicate ofSigned, ofUnsigned, ofReal;
};
constexpr auto none = llvm::CmpInst::BAD_ICMP_PREDICATE;
constexpr Comparison comparisons[] = {
    {"eq", llvm::CmpInst::ICMP_EQ, llvm::CmpInst::ICMP_EQ, llvm::CmpInst::FCMP_OEQ},
    {"ne", llvm::CmpInst::ICMP_NE, llvm::CmpInst::ICMP_NE, llvm::CmpInst::FCMP_ONE},
    {"lt", llvm::CmpInst::ICMP_SLT, llvm::CmpInst::ICMP_ULT, llvm::CmpInst::FCMP_OLT},
    {"le", llvm::CmpInst::ICMP_SLE, llvm::CmpInst::ICMP_ULE, llvm::CmpInst::FCMP_OLE},
    {"gt", llvm::CmpInst::ICMP_SGT, llvm::CmpInst::ICMP_UGT, llvm::CmpInst::FCMP_OGT},
    {"ge", llvm::CmpInst::ICMP_SGE, llvm::CmpInst::ICMP_UGE, llvm::CmpInst::FCMP_OGE},
    {"lo", none, llvm::CmpInst::ICMP_ULT, none},
    {"ls", none, llvm::CmpInst::ICMP_ULE, none},
    {"hi", none, llvm::CmpInst::ICMP_UGT, none},
    {"hs", none, llvm::CmpInst::ICMP_UGE, none},
    {"equ", none, none, llvm::CmpInst::FCMP_UEQ},
    {"neu", none, none, llvm::CmpInst::FCMP_UNE},
    {"ltu", none, none, llvm::CmpInst::FCMP_ULT},
    {"leu", none, none, llvm::CmpInst::FCMP_ULE},
    {"gtu", none, none, llvm::CmpInst::FCMP_UGT},
    {"geu", none, none, llvm::CmpInst::FCMP_UGE},
    {"num", none, none, llvm::CmpInst::FCMP_ORD},
    {"nan", none, none, llvm::CmpInst::FCMP_UNO},
};

/// Compares operands 1 and 2 as the words say, and combines the result with the predicate of operand 3 where there is
/// one. Both results of the combination with the comparison and with its opposite.
struct Compared {
  llvm::Value* value;
  llvm::Value* opposite;
};
std::optional<Compared> compared(Emitter& e, Words& words, const Instruction& in, Type type) {
  llvm::IRBuilder<>& ir = e.ir();
  const bool flush = words.take("ftz");
  const Comparison* comparison = nullptr;
  for (const Comparison& one : comparisons) {
    if (!comparison && words.take(one.word)) comparison = &one;
  }
  const auto predicate = !comparison       ? none
                         : type.isReal()   ? comparison->ofReal
                         : type.isSigned() ? comparison->ofSigned
                                           : comparison->ofUnsigned;
  if (predicate == none || type.kind == Kind::brain || type.isPair || type.kind == Kind::predicate) {
    e.refuseThis("its comparison has no translation", "compare it with NVIDIA's PTX ISA");
    return std::nullopt;
  }
  llvm::Value* a = e.read(in.operands[1], type);
  llvm::Value* b = e.read(in.operands[2], type);
  if (flush) a = flushed(e, a), b = flushed(e, b);
  llvm::Value* const result = ir.CreateCmp(predicate, a, b);
  llvm::Value* const opposite = ir.CreateNot(result);
  const llvm::StringRef combination = words.takeOneOf({"and", "or", "xor"});
  if (combination.empty() != (in.operands.size() == 3)) {
    e.refuseThis("'.and', '.or' and '.xor' go with a third value, a predicate", "compare it with NVIDIA's PTX ISA");
    return std::nullopt;
  }
  if (combination.empty()) return Compared{result, opposite};
  llvm::Value* const c = e.readPredicate(in.operands[3]);
  const auto combined = [&](llvm::Value* p) {
    return combination == "and" ? ir.CreateAnd(p, c) : combination == "or" ? ir.CreateOr(p, c) : ir.CreateXor(p, c);
  };
  return Compared{combined(result), combined(opposite)};
}

}  // namespace

void setPredicate(Emitter& e, Words& words, const Instruction& in) {
  const Type type = words.takeType(e);
  const auto result = compared(e, words, in, type);
  if (!result) return;
  e.writePredicate(in.operands[0], result->value);
  if (!in.operands[0].predicate.empty()) e.writePredicate(in.operands[0].predicate.front(), result->opposite);
}

void setValue(Emitter& e, Words& words, const Instruction& in) {
  const Type out = words.takeType(e), type = words.takeType(e);
  const auto result = compared(e, words, in, type);
  if (!result) return;
  if (out.bits != 32) return e.refuseThis("its result has 32 bits", "use .u32, .s32 or .f32");
  llvm::IRBuilder<>& ir = e.ir();
  e.write(in.operands[0],
          out.isReal() ? ir.CreateUIToFP(result->value, ir.getFloatTy()) : ir.CreateSExt(result->value, e.integer(32)),
          out);
}

void selectByPredicate(Emitter& e, Words& words, const Instruction& in) {
  const Type type = words.takeType(e);
  llvm::Value* const a = e.read(in.operands[1], type);
  llvm::Value* const b = e.read(in.operands[2], type);
  e.write(in.operands[0], e.ir().CreateSelect(e.readPredicate(in.operands[3]), a, b), type);
}

void selectBySign(Emitter& e, Words& words, const Instruction& in) {
  const bool flush = words.take("ftz");
  const Type type = words.takeType(e), deciding = words.takeType(e);
  if (deciding.bits != 32 || deciding.isPair || deciding.kind == Kind::brain)
    return e.refuseThis("it selects by the sign of .s32 or .f32", "compare it with NVIDIA's PTX ISA");
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const a = e.read(in.operands[1], type);
  llvm::Value* const b = e.read(in.operands[2], type);
  llvm::Value* c = e.read(in.operands[3], deciding);
  if (flush && deciding.isReal()) c = flushed(e, c);
  llvm::Constant* const zero = llvm::Constant::getNullValue(c->getType());
  e.write(in.operands[0],
          ir.CreateSelect(deciding.isReal() ? ir.CreateFCmpOGE(c, zero) : ir.CreateICmpSGE(c, zero), a, b), type);
}

void extremum(Emitter& e, Words& words, const Instruction& in) {
  const bool flush = words.take("ftz"), keepsNan = words.take("NaN"), relu = words.take("relu");
  const Type type = words.takeType(e);
  const bool isMin = in.words.front() == "min";
  if (in.operands.size() != 3 || (!type.isReal() && (flush || keepsNan)) || type.kind == Kind::brain)
    return e.refuseThis("this form has no translation", "write it in C++");
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* a = e.read(in.operands[1], type);
  llvm::Value* b = e.read(in.operands[2], type);
  if (!type.isReal()) {
    const auto id = type.isSigned() ? (isMin ? llvm::Intrinsic::smin : llvm::Intrinsic::smax)
                                    : (isMin ? llvm::Intrinsic::umin : llvm::Intrinsic::umax);
    llvm::Value* out = e.intrinsic(id, {a, b});
    if (relu) out = e.intrinsic(llvm::Intrinsic::smax, {out, llvm::Constant::getNullValue(out->getType())});
    return e.write(in.operands[0], out, type);
  }
  if (relu) return e.refuseThis("'.relu' has no translation for floating-point numbers", "write it in C++");
  if (flush) a = flushed(e, a), b = flushed(e, b);
  llvm::Value* out = e.intrinsic(isMin ? llvm::Intrinsic::minnum : llvm::Intrinsic::maxnum, {a, b});
  // Of two zeros the negative one is less: equal numbers differ in nothing but that sign.
  llvm::Type* const bits =
      type.isPair ? llvm::FixedVectorType::get(e.integer(16), 2) : llvm::cast<llvm::Type>(e.integer(type.bits));
  llvm::Value* const x = ir.CreateBitCast(a, bits);
  llvm::Value* const y = ir.CreateBitCast(b, bits);
  llvm::Value* const zero = ir.CreateBitCast(isMin ? ir.CreateOr(x, y) : ir.CreateAnd(x, y), a->getType());
  out = ir.CreateSelect(ir.CreateFCmpOEQ(a, b), zero, out);
  if (keepsNan) {
    llvm::APFloat nan = llvm::APFloat::getQNaN(a->getType()->getScalarType()->getFltSemantics());
    out = ir.CreateSelect(ir.CreateFCmpUNO(a, b), llvm::ConstantFP::get(a->getType(), nan), out);
  }
  e.write(in.operands[0], out, type);
}

void sign(Emitter& e, Words& words, const Instruction& in) {
  const bool flush = words.take("ftz");
  const Type type = words.takeType(e);
  const std::string& name = in.words.front();
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* a = e.read(in.operands[1], type);
  if (type.kind == Kind::predicate) return e.refuseThis("it takes no such type", "use .s32 or .f32");
  if (type.isInteger()) {
    llvm::Value* const negated = ir.CreateNeg(a);
    if (name == "copysign" || !type.isSigned()) return e.refuseThis("it takes no such type", "use .s32 or .f32");
    if (name == "neg") return e.write(in.operands[0], negated, type);
    return e.write(in.operands[0], ir.CreateSelect(ir.CreateICmpSLT(a, e.number(type.bits, 0)), negated, a), type);
  }
  // bfloat16 is held as its bits.
  if (type.kind == Kind::brain) {
    if (name == "copysign") return e.refuseThis("it takes no such type", "use .f32");
    const std::uint64_t signs = type.isPair ? 0x80008000U : 0x8000U;
    return e.write(
        in.operands[0],
        name == "neg" ? ir.CreateXor(a, e.number(type.bits, signs)) : ir.CreateAnd(a, e.number(type.bits, ~signs)),
        type);
  }
  if (flush) a = flushed(e, a);
  // "copysign d, a, b" gives b the sign of a.
  llvm::Value* const out = name == "copysign"
                               ? e.intrinsic(llvm::Intrinsic::copysign, {e.read(in.operands[2], type), a})
                           : name == "neg" ? ir.CreateFNeg(a)
                                           : e.intrinsic(llvm::Intrinsic::fabs, {a});
  e.write(in.operands[0], out, type);
}

void testProperty(Emitter& e, Words& words, const Instruction& in) {
  const llvm::StringRef property =
      words.takeOneOf({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  const Type type = words.takeType(e);
  if (property.empty() || type.kind != Kind::real || type.isPair)
    return e.refuseThis("this form has no translation", "use isfinite and its like");
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const a = e.intrinsic(llvm::Intrinsic::fabs, {e.read(in.operands[1], type)});
  llvm::Constant* const infinity = llvm::ConstantFP::getInfinity(a->getType());
  llvm::Constant* const least =
      llvm::ConstantFP::get(a->getType(), llvm::APFloat::getSmallestNormalized(a->getType()->getFltSemantics()));
  llvm::Value* const small = ir.CreateFCmpOLT(a, least);
  llvm::Value* const out =
      property == "finite"       ? ir.CreateFCmpOLT(a, infinity)
      : property == "infinite"   ? ir.CreateFCmpOEQ(a, infinity)
      : property == "number"     ? ir.CreateFCmpORD(a, a)
      : property == "notanumber" ? ir.CreateFCmpUNO(a, a)
      : property == "normal"
          // Zero counts as normal.
          ? ir.CreateAnd(
                ir.CreateFCmpOLT(a, infinity),
                ir.CreateOr(ir.CreateNot(small), ir.CreateFCmpOEQ(a, llvm::Constant::getNullValue(a->getType()))))
          : ir.CreateAnd(small, ir.CreateFCmpUNE(a, llvm::Constant::getNullValue(a->getType())));
  e.writePredicate(in.operands[0], out);
}

}  // namespace lathe::dialects::ptx
