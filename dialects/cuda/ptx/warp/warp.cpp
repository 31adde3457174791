// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions, with a mask and in the older form without: then the threads that are there take part.
#include "dialects/cuda/ptx/instructions.h"
#include "dialects/cuda/ptx/special_registers.h"

namespace lathe::dialects::ptx {
namespace {

constexpr unsigned warpSize = 32;

llvm::Value* itemOf(Emitter& e) {
  return e.callAbi("subgroup_item_id", e.integer(32), {});
}

llvm::Value* here(Emitter& e) {
  return e.callAbi("active_mask", e.integer(64), {}, /*isConvergent=*/true);
}

/// The items of the mask in operand `at`, or those that are there.
llvm::Value* maskOperand(Emitter& e, Words& words, const Instruction& in, unsigned at) {
  const bool isNamed = words.take("sync");
  if (isNamed != (in.operands.size() == at + 1)) {
    e.refuseThis("it has a mask with '.sync', and none without", "compare it with NVIDIA's PTX ISA");
    return e.number(64, 0);
  }
  return isNamed ? itemsOf(e, e.read(in.operands[at], {Kind::bits, 32})) : here(e);
}

/// The lane that a shuffle reads, and whether it is within the segment: the table in the PTX ISA's chapter on `shfl`.
struct Source {
  llvm::Value* lane;
  llvm::Value* isInside;
};
Source sourceOf(Emitter& e, llvm::StringRef mode, llvm::Value* by, llvm::Value* clamp) {
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const lane = laneOf(e);
  llvm::Value* const segment = ir.CreateAnd(ir.CreateLShr(clamp, 8), 31);
  llvm::Value* const outside = ir.CreateNot(segment);
  llvm::Value* const first = ir.CreateAnd(lane, segment);
  llvm::Value* const border = ir.CreateOr(first, ir.CreateAnd(ir.CreateAnd(clamp, 31), outside));
  by = ir.CreateAnd(by, 31);
  llvm::Value* const wanted = mode == "up"     ? ir.CreateSub(lane, by)
                              : mode == "down" ? ir.CreateAdd(lane, by)
                              : mode == "bfly" ? ir.CreateXor(lane, by)
                                               : ir.CreateOr(first, ir.CreateAnd(by, outside));
  llvm::Value* const isInside = mode == "up" ? ir.CreateICmpSGE(wanted, border) : ir.CreateICmpSLE(wanted, border);
  return {ir.CreateSelect(isInside, wanted, lane), isInside};
}

/// The width of segments that a constant `clamp` asks for in the way that CUDA's functions do; 0: some other.
unsigned widthOfSegments(llvm::StringRef mode, std::optional<std::uint64_t> clamp) {
  if (!clamp || (*clamp & 31) != (mode == "up" ? 0 : 31)) return 0;
  const auto width = static_cast<unsigned>(warpSize - ((*clamp >> 8) & 31));
  return (width & (width - 1)) == 0 ? width : 0;
}

}  // namespace

llvm::Value* laneOf(Emitter& e) {
  return e.ir().CreateAnd(itemOf(e), warpSize - 1);
}

llvm::Value* itemsOf(Emitter& e, llvm::Value* threads) {
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const place = ir.CreateZExt(ir.CreateAnd(itemOf(e), warpSize), e.integer(64));
  return ir.CreateShl(ir.CreateZExt(threads, e.integer(64)), place);
}

llvm::Value* threadsOf(Emitter& e, llvm::Value* items) {
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const place = ir.CreateZExt(ir.CreateAnd(itemOf(e), warpSize), e.integer(64));
  return ir.CreateTrunc(ir.CreateLShr(items, place), e.integer(32));
}

void activeMask(Emitter& e, Words& words, const Instruction& in) {
  (void)words.take("b32");
  e.write(in.operands[0], threadsOf(e, here(e)), {Kind::bits, 32});
}

void shuffle(Emitter& e, Words& words, const Instruction& in) {
  const llvm::StringRef mode = words.takeOneOf({"up", "down", "bfly", "idx"});
  llvm::Value* const mask = maskOperand(e, words, in, 4);
  const Type type = words.takeType(e);
  if (mode.empty() || type.bits != 32) return e.refuseThis("this form has no translation", "shuffle 32 bits");
  llvm::Value* const value = e.sameBits(e.read(in.operands[1], type), e.integer(32));
  llvm::Value* const by = e.read(in.operands[2], {Kind::bits, 32});
  llvm::Value* const clamp = e.read(in.operands[3], {Kind::bits, 32});
  const Source source = sourceOf(e, mode, by, clamp);
  const Operand& to = in.operands[0];
  const auto call = [&](llvm::StringRef entry, llvm::Value* from, unsigned width) {
    return e.callAbi(entry, e.integer(32), {mask, value, from, e.number(32, width)}, /*isConvergent=*/true);
  };
  // Those with a name of their own are single instructions on some machines.
  const unsigned width = widthOfSegments(mode, e.constant(in.operands[3]));
  llvm::Value* out = nullptr;
  if (width == 0 || mode == "idx")
    out = call("shuffle_i32", source.lane, warpSize);
  else
    out = call(mode == "up"     ? "shuffle_up_i32"
               : mode == "down" ? "shuffle_down_i32"
                                : "shuffle_xor_i32",
               e.ir().CreateAnd(by, 31), width);
  e.write(to, out, {Kind::bits, 32});
  if (!to.predicate.empty()) e.writePredicate(to.predicate.front(), source.isInside);
}

void vote(Emitter& e, Words& words, const Instruction& in) {
  const llvm::StringRef mode = words.takeOneOf({"all", "any", "uni", "ballot"});
  llvm::Value* const mask = maskOperand(e, words, in, 2);
  const Type type = words.takeType(e);
  if (mode.empty() || type != (mode == "ballot" ? Type{Kind::bits, 32} : Type{Kind::predicate, 1}))
    return e.refuseThis("this form has no translation", "compare it with NVIDIA's PTX ISA");
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const flag = ir.CreateZExt(e.readPredicate(in.operands[1]), e.integer(32));
  if (mode == "ballot") {
    llvm::Value* const items = e.callAbi("ballot", e.integer(64), {mask, flag}, /*isConvergent=*/true);
    return e.write(in.operands[0], threadsOf(e, items), type);
  }
  const auto call = [&](llvm::StringRef entry) {
    return ir.CreateIsNotNull(e.callAbi(entry, e.integer(32), {mask, flag}, /*isConvergent=*/true));
  };
  llvm::Value* out = nullptr;
  if (mode == "uni") {
    llvm::Value* const all = call("vote_all");
    out = ir.CreateOr(all, ir.CreateNot(call("vote_any")));
  } else {
    out = call(mode == "all" ? "vote_all" : "vote_any");
  }
  e.writePredicate(in.operands[0], out);
}

void match(Emitter& e, Words& words, const Instruction& in) {
  const llvm::StringRef mode = words.takeOneOf({"any", "all"});
  llvm::Value* const mask = maskOperand(e, words, in, 2);
  const Type type = words.takeType(e);
  if (mode.empty() || (type.bits != 32 && type.bits != 64))
    return e.refuseThis("this form has no translation", "match 32 or 64 bits");
  llvm::Value* const items =
      e.callAbi("match_" + mode.str() + "_i" + std::to_string(type.bits), e.integer(64),
                {mask, e.sameBits(e.read(in.operands[1], type), e.integer(type.bits))}, /*isConvergent=*/true);
  llvm::Value* const threads = threadsOf(e, items);
  e.write(in.operands[0], threads, {Kind::bits, 32});
  if (!in.operands[0].predicate.empty())
    e.writePredicate(in.operands[0].predicate.front(), e.ir().CreateIsNotNull(threads));
}

void reduction(Emitter& e, Words& words, const Instruction& in) {
  const llvm::StringRef operation = words.takeOneOf({"add", "min", "max", "and", "or", "xor"});
  llvm::Value* const mask = maskOperand(e, words, in, 2);
  const Type type = words.takeType(e);
  if (operation.empty() || type.bits != 32 || !type.isInteger())
    return e.refuseThis("this form has no translation", "reduce integers of 32 bits");
  const bool isUnsigned = (operation == "min" || operation == "max") && !type.isSigned();
  e.write(in.operands[0],
          e.callAbi("reduce_" + std::string(isUnsigned ? "u" : "") + operation.str() + "_i32", e.integer(32),
                    {mask, e.read(in.operands[1], type)}, /*isConvergent=*/true),
          type);
}

/// One thread of the mask is chosen: the lowest.
void election(Emitter& e, Words& words, const Instruction& in) {
  (void)words.take("sync");
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const mask = e.read(in.operands[1], {Kind::bits, 32});
  llvm::Value* const leader = ir.CreateIntrinsic(llvm::Intrinsic::cttz, {e.integer(32)}, {mask, ir.getFalse()});
  e.write(in.operands[0], leader, {Kind::bits, 32});
  if (!in.operands[0].predicate.empty())
    e.writePredicate(in.operands[0].predicate.front(), ir.CreateICmpEQ(leader, laneOf(e)));
}

}  // namespace lathe::dialects::ptx
