// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions on the bits of integers: logic, shifts, fields, bytes, counts.
#include <array>

#include "dialects/cuda/ptx/instructions.h"

namespace lathe::dialects::ptx {
namespace {

/// A function of up to three variables by its table, divided by the last variable at each step: `table` has a bit for
/// each combination, the first variable's values apart by half of it.
llvm::Value* ofTable(Emitter& e, llvm::ArrayRef<llvm::Value*> variables, unsigned table) {
  llvm::IRBuilder<>& ir = e.ir();
  const unsigned bits = 1U << variables.size(), all = (1U << bits) - 1;
  if (table == 0) return e.number(32, 0);
  if (table == all) return e.number(32, ~0ULL);
  const unsigned half = bits / 2, mask = (1U << half) - 1;
  const unsigned without = table & mask, with = table >> half;
  const llvm::ArrayRef<llvm::Value*> rest = variables.drop_front();
  if (with == without) return ofTable(e, rest, with);
  llvm::Value* const x = variables.front();
  if (rest.empty()) return with ? x : ir.CreateNot(x);
  if (with == (without ^ mask)) return ir.CreateXor(x, ofTable(e, rest, without));
  if (without == 0) return ir.CreateAnd(x, ofTable(e, rest, with));
  if (with == mask) return ir.CreateOr(x, ofTable(e, rest, without));
  if (with == 0) return ir.CreateAnd(ir.CreateNot(x), ofTable(e, rest, without));
  if (without == mask) return ir.CreateOr(ir.CreateNot(x), ofTable(e, rest, with));
  return ir.CreateOr(ir.CreateAnd(x, ofTable(e, rest, with)), ir.CreateAnd(ir.CreateNot(x), ofTable(e, rest, without)));
}

/// A number of bits or a place, of which the instruction reads a byte, as wide as `bits`.
llvm::Value* byteOf(Emitter& e, const Operand& operand, unsigned bits) {
  return e.ir().CreateZExtOrTrunc(e.ir().CreateAnd(e.read(operand, {Kind::unsignedInteger, 32}), 0xff),
                                  e.integer(bits));
}

/// value << amount and value >> amount, of any amount.
llvm::Value* shiftedLeft(Emitter& e, llvm::Value* value, llvm::Value* amount) {
  llvm::IRBuilder<>& ir = e.ir();
  const unsigned bits = value->getType()->getIntegerBitWidth();
  llvm::Value* const fits = ir.CreateICmpULT(amount, e.number(bits, bits));
  llvm::Value* const shifted = ir.CreateShl(value, ir.CreateAnd(amount, e.number(bits, bits - 1)));
  return ir.CreateSelect(fits, shifted, e.number(bits, 0));
}
llvm::Value* shiftedRight(Emitter& e, llvm::Value* value, llvm::Value* amount, bool isSigned) {
  llvm::IRBuilder<>& ir = e.ir();
  const unsigned bits = value->getType()->getIntegerBitWidth();
  llvm::Value* const fits = ir.CreateICmpULT(amount, e.number(bits, bits));
  if (isSigned) return ir.CreateAShr(value, ir.CreateSelect(fits, amount, e.number(bits, bits - 1)));
  llvm::Value* const shifted = ir.CreateLShr(value, ir.CreateAnd(amount, e.number(bits, bits - 1)));
  return ir.CreateSelect(fits, shifted, e.number(bits, 0));
}

/// The lowest `length` bits set.
llvm::Value* maskOf(Emitter& e, llvm::Value* length) {
  return e.ir().CreateNot(shiftedLeft(e, llvm::Constant::getAllOnesValue(length->getType()), length));
}

/// The lowest `length` bits of a value, extended by the highest of them.
llvm::Value* signExtended(Emitter& e, llvm::Value* value, llvm::Value* length) {
  llvm::IRBuilder<>& ir = e.ir();
  const unsigned bits = value->getType()->getIntegerBitWidth();
  llvm::Value* const whole = e.number(bits, bits);
  length = ir.CreateSelect(ir.CreateICmpULT(length, whole), length, whole);
  llvm::Value* const unused = ir.CreateSub(whole, length);
  llvm::Value* const lifted = shiftedLeft(e, value, unused);
  return ir.CreateSelect(ir.CreateIsNull(length), e.number(bits, 0), shiftedRight(e, lifted, unused, true));
}

/// The selectors of prmt's modes, for the lowest two bits of the third operand.
struct PermuteMode {
  llvm::StringRef name;
  std::array<std::uint16_t, 4> selectors;
};
constexpr PermuteMode permuteModes[] = {
    {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
    {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
    {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}},
};

}  // namespace

void logic(Emitter& e, Words& words, const Instruction& in) {
  const Type type = words.takeType(e);
  if (type.isReal()) return e.refuseThis("it takes no such type", "use .b32");
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const a = e.read(in.operands[1], type);
  llvm::Value* const b = e.read(in.operands[2], type);
  const std::string& name = in.words.front();
  e.write(in.operands[0],
          name == "and"  ? ir.CreateAnd(a, b)
          : name == "or" ? ir.CreateOr(a, b)
                         : ir.CreateXor(a, b),
          type);
}

void complement(Emitter& e, Words& words, const Instruction& in) {
  const Type type = words.takeType(e);
  if (type.isReal()) return e.refuseThis("it takes no such type", "use .b32");
  llvm::Value* const a = e.read(in.operands[1], type);
  if (in.words.front() == "not") return e.write(in.operands[0], e.ir().CreateNot(a), type);
  e.write(in.operands[0], e.ir().CreateZExtOrTrunc(e.ir().CreateIsNull(a), a->getType()), type);
}

void logicOfThree(Emitter& e, Words& words, const Instruction& in) {
  const Type type = words.takeInteger(e, 32);
  const auto table = e.constant(in.operands[4]);
  if (!table || *table > 0xff)
    return e.refuseThis("its table is no number from 0 to 255", "pass it by \"n\", or write it into the text");
  llvm::Value* const variables[] = {e.read(in.operands[1], type), e.read(in.operands[2], type),
                                    e.read(in.operands[3], type)};
  e.write(in.operands[0], ofTable(e, variables, static_cast<unsigned>(*table)), type);
}

void shift(Emitter& e, Words& words, const Instruction& in) {
  const Type type = words.takeInteger(e);
  llvm::Value* const value = e.read(in.operands[1], type);
  llvm::IRBuilder<>& ir = e.ir();
  // The amount has 32 bits, whatever it shifts.
  llvm::Value* amount = e.read(in.operands[2], {Kind::unsignedInteger, 32});
  if (type.bits < 32) {
    llvm::Value* const most = e.number(32, type.bits);
    amount = ir.CreateSelect(ir.CreateICmpULT(amount, most), amount, most);
  }
  amount = ir.CreateZExtOrTrunc(amount, e.integer(type.bits));
  e.write(in.operands[0],
          in.words.front() == "shl" ? shiftedLeft(e, value, amount) : shiftedRight(e, value, amount, type.isSigned()),
          type);
}

void funnelShift(Emitter& e, Words& words, const Instruction& in) {
  const bool left = words.takeOneOf({"l", "r"}) == "l";
  const bool clamps = words.takeOneOf({"clamp", "wrap"}) == "clamp";
  const Type type = words.takeInteger(e, 32);
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const low = e.read(in.operands[1], type);
  llvm::Value* const high = e.read(in.operands[2], type);
  llvm::Value* const amount = e.read(in.operands[3], {Kind::unsignedInteger, 32});
  llvm::Value* out = e.intrinsic(left ? llvm::Intrinsic::fshl : llvm::Intrinsic::fshr, {high, low, amount});
  if (clamps) out = ir.CreateSelect(ir.CreateICmpULT(amount, e.number(32, 32)), out, left ? low : high);
  e.write(in.operands[0], out, type);
}

void permuteBytes(Emitter& e, Words& words, const Instruction& in) {
  const Type type = words.takeInteger(e, 32);
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const low = ir.CreateZExt(e.read(in.operands[1], type), e.integer(64));
  llvm::Value* const high = ir.CreateZExt(e.read(in.operands[2], type), e.integer(64));
  llvm::Value* const both = ir.CreateOr(ir.CreateShl(high, 32), low);
  llvm::Value* selectors = e.read(in.operands[3], type);
  bool isPlain = true;
  for (const PermuteMode& mode : permuteModes) {
    if (!words.take(mode.name)) continue;
    llvm::Value* const which = ir.CreateAnd(selectors, 3);
    selectors = e.number(32, mode.selectors[3]);
    for (unsigned i = 3; i-- > 0;)
      selectors = ir.CreateSelect(ir.CreateICmpEQ(which, e.number(32, i)), e.number(32, mode.selectors[i]), selectors);
    isPlain = false;
    break;
  }
  llvm::Value* out = nullptr;
  for (unsigned i = 0; i < 4; ++i) {
    llvm::Value* const selector = ir.CreateAnd(ir.CreateLShr(selectors, 4 * i), 0xf);
    llvm::Value* const place = ir.CreateZExt(ir.CreateShl(ir.CreateAnd(selector, 7), 3), e.integer(64));
    llvm::Value* byte = ir.CreateAnd(ir.CreateTrunc(ir.CreateLShr(both, place), e.integer(32)), 0xff);
    if (isPlain) {
      // The selector's highest bit stands for the byte's sign.
      llvm::Value* const sign =
          ir.CreateSelect(ir.CreateICmpUGE(byte, e.number(32, 0x80)), e.number(32, 0xff), e.number(32, 0));
      byte = ir.CreateSelect(ir.CreateICmpUGE(selector, e.number(32, 8)), sign, byte);
    }
    byte = ir.CreateShl(byte, 8 * i);
    out = out ? ir.CreateOr(out, byte) : byte;
  }
  e.write(in.operands[0], out, type);
}

void extractBits(Emitter& e, Words& words, const Instruction& in) {
  const Type type = words.takeInteger(e);
  llvm::Value* const place = byteOf(e, in.operands[2], type.bits);
  llvm::Value* const length = byteOf(e, in.operands[3], type.bits);
  llvm::Value* const moved = shiftedRight(e, e.read(in.operands[1], type), place, type.isSigned());
  e.write(in.operands[0], type.isSigned() ? signExtended(e, moved, length) : e.ir().CreateAnd(moved, maskOf(e, length)),
          type);
}

void insertBits(Emitter& e, Words& words, const Instruction& in) {
  const Type type = words.takeInteger(e);
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const place = byteOf(e, in.operands[3], type.bits);
  llvm::Value* const mask = shiftedLeft(e, maskOf(e, byteOf(e, in.operands[4], type.bits)), place);
  llvm::Value* const field = shiftedLeft(e, e.read(in.operands[1], type), place);
  llvm::Value* const base = e.read(in.operands[2], type);
  e.write(in.operands[0], ir.CreateOr(ir.CreateAnd(field, mask), ir.CreateAnd(base, ir.CreateNot(mask))), type);
}

void findBit(Emitter& e, Words& words, const Instruction& in) {
  const bool countsFromTop = words.take("shiftamt");
  const Type type = words.takeInteger(e);
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* value = e.read(in.operands[1], type);
  if (type.isSigned())
    value = ir.CreateSelect(ir.CreateICmpSLT(value, e.number(type.bits, 0)), ir.CreateNot(value), value);
  llvm::Value* const zeros = ir.CreateZExtOrTrunc(
      ir.CreateIntrinsic(llvm::Intrinsic::ctlz, {value->getType()}, {value, ir.getFalse()}), e.integer(32));
  llvm::Value* const found = countsFromTop ? zeros : ir.CreateSub(e.number(32, type.bits - 1), zeros);
  e.write(in.operands[0], ir.CreateSelect(ir.CreateIsNull(value), e.number(32, ~0ULL), found),
          {Kind::unsignedInteger, 32});
}

void countBits(Emitter& e, Words& words, const Instruction& in) {
  const Type type = words.takeInteger(e);
  llvm::Value* const value = e.read(in.operands[1], type);
  llvm::IRBuilder<>& ir = e.ir();
  const std::string& name = in.words.front();
  if (name == "brev") return e.write(in.operands[0], e.intrinsic(llvm::Intrinsic::bitreverse, {value}), type);
  llvm::Value* const count =
      name == "popc" ? e.intrinsic(llvm::Intrinsic::ctpop, {value})
                     : ir.CreateIntrinsic(llvm::Intrinsic::ctlz, {value->getType()}, {value, ir.getFalse()});
  e.write(in.operands[0], ir.CreateZExtOrTrunc(count, e.integer(32)), {Kind::unsignedInteger, 32});
}

void makeMask(Emitter& e, Words& words, const Instruction& in) {
  const bool wraps = words.takeOneOf({"clamp", "wrap"}) == "wrap";
  const Type type = words.takeInteger(e, 32);
  llvm::Value* place = e.read(in.operands[1], type);
  llvm::Value* length = e.read(in.operands[2], type);
  if (wraps) {
    place = e.ir().CreateAnd(place, 31);
    length = e.ir().CreateAnd(length, 31);
  }
  e.write(in.operands[0], shiftedLeft(e, maskOf(e, length), place), type);
}

void extendBits(Emitter& e, Words& words, const Instruction& in) {
  const bool wraps = words.takeOneOf({"clamp", "wrap"}) == "wrap";
  const Type type = words.takeInteger(e, 32);
  llvm::Value* const value = e.read(in.operands[1], type);
  llvm::Value* length = e.read(in.operands[2], {Kind::unsignedInteger, 32});
  if (wraps) length = e.ir().CreateAnd(length, 31);
  e.write(in.operands[0], type.isSigned() ? signExtended(e, value, length) : e.ir().CreateAnd(value, maskOf(e, length)),
          type);
}

}  // namespace lathe::dialects::ptx
