// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Late expansion, in stage late: some formats lack what LLVM's optimiser takes for granted, and their back ends end the
// process, or quietly compile something else, when they meet it. A descriptor lists what its target lacks (`legalize`).
//
//   atomics           read-modify-write operations beyond integer add, sub, and, or, xor, min, max and exchange
//   generic_accesses  accesses through generic pointers whose memory can be told (generic_accesses.cpp)
//   ordered_atomics   atomics that also order other accesses: relaxed ones between fences instead
//   partword_atomics     atomics of 8 and 16 bits (partword_atomics.cpp)
//   integers          widths other than 8, 16, 32 and 64 bits (integer_widths.cpp, wide_integers.cpp)
//   narrow_floats     arithmetic on bfloat16 and half, where the processor has none (narrow_floats.cpp)
//   bfloat            bfloat16, of which formats have no such type keep the bits (narrow_floats.cpp, bfloat_bits.cpp)
//   wide_conversions  between integers above 64 bits and floating point (wide_conversions.cpp)
//   vectors           lengths other than 2, 3, 4, 8 and 16
//   overflow          arithmetic that returns its overflow
//   intrinsics        reversal of bits and bytes, funnel shifts, memory sets, rare floating-point intrinsics
//   addresses         address computations through structures: they count bytes instead
//   end_item          __lathe_end_item of device code: a return (end_item.cpp)
//   hints             assumptions and prefetches, which change no result
//
//   before: %o = atomicrmw fadd ptr %p, float %x acq_rel
//   after:  fence release … a loop around cmpxchg ptr %p, i32 %seen, i32 %new monotonic monotonic … fence acquire
#include "core/lower/legalize/legalize.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/CodeGen/AtomicExpandUtils.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

#include "core/lower/passes/passes.h"

namespace lathe::detail {
namespace {

using llvm::AtomicOrdering;

// --- atomics -----------------------------------------------------------------------------------------------------

bool isBasic(const llvm::AtomicRMWInst& atomic) {
  switch (atomic.getOperation()) {
    case llvm::AtomicRMWInst::Add:
    case llvm::AtomicRMWInst::Sub:
    case llvm::AtomicRMWInst::And:
    case llvm::AtomicRMWInst::Or:
    case llvm::AtomicRMWInst::Xor:
    case llvm::AtomicRMWInst::Min:
    case llvm::AtomicRMWInst::Max:
    case llvm::AtomicRMWInst::UMin:
    case llvm::AtomicRMWInst::UMax:
      return true;
    case llvm::AtomicRMWInst::Xchg:
      return atomic.getType()->isIntegerTy();
    default:
      return false;
  }
}

/// Whether the back end has the operation, although it is none of the basic ones: "add.f32".
bool isNative(const llvm::AtomicRMWInst& atomic, const Descriptor& descriptor) {
  if (atomic.getOperation() != llvm::AtomicRMWInst::FAdd) return false;
  const llvm::Type* const type = atomic.getType();
  return (type->isFloatTy() && llvm::is_contained(descriptor.nativeAtomics, "add.f32")) ||
         (type->isDoubleTy() && llvm::is_contained(descriptor.nativeAtomics, "add.f64"));
}

void expandAtomics(llvm::Function& function, const Descriptor& descriptor) {
  llvm::SmallVector<llvm::AtomicRMWInst*> found;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
    if (atomic && !isBasic(*atomic) && !isNative(*atomic, descriptor)) found.push_back(atomic);
  }
  for (llvm::AtomicRMWInst* atomic : found) llvm::expandAtomicRMWToCmpXchg(atomic, createCompareExchange);
}

AtomicOrdering orderOf(const llvm::Instruction& atomic) {
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&atomic)) return exchange->getMergedOrdering();
  if (const auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&atomic)) return change->getOrdering();
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&atomic)) return load->getOrdering();
  return llvm::cast<llvm::StoreInst>(atomic).getOrdering();
}

void relax(llvm::Instruction& atomic) {
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&atomic)) {
    exchange->setSuccessOrdering(AtomicOrdering::Monotonic);
    exchange->setFailureOrdering(AtomicOrdering::Monotonic);
  } else if (auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&atomic)) {
    change->setOrdering(AtomicOrdering::Monotonic);
  } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&atomic)) {
    load->setOrdering(AtomicOrdering::Monotonic);
  } else {
    llvm::cast<llvm::StoreInst>(atomic).setOrdering(AtomicOrdering::Monotonic);
  }
}

/// The mapping of C++'s memory model to fences (ISO C++, [atomics.fences]): release before, acquire behind.
void orderByFences(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!instruction.isAtomic() || llvm::isa<llvm::FenceInst>(instruction)) continue;
    const AtomicOrdering order = orderOf(instruction);
    const bool total = order == AtomicOrdering::SequentiallyConsistent;
    const llvm::SyncScope::ID scope = *llvm::getAtomicSyncScopeID(&instruction);
    relax(instruction);
    if (llvm::isReleaseOrStronger(order) || total)
      llvm::IRBuilder<>(&instruction).CreateFence(total ? order : AtomicOrdering::Release, scope);
    if (llvm::isAcquireOrStronger(order) || total)
      llvm::IRBuilder<>(instruction.getNextNode()).CreateFence(total ? order : AtomicOrdering::Acquire, scope);
  }
}

// --- intrinsics --------------------------------------------------------------------------------------------------

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

// --- addresses and hints -----------------------------------------------------------------------------------------

void flattenAddresses(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    if (!address || !address->getType()->isPointerTy()) continue;
    // Types that are gone afterwards.
    bool structured = isWideInteger(address->getSourceElementType()) || isOddVector(address->getSourceElementType());
    for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step)
      structured |= step.isStruct();
    if (!structured) continue;
    llvm::IRBuilder<> builder(address);
    llvm::Value* const offset = llvm::emitGEPOffset(&builder, function.getDataLayout(), address);
    llvm::Value* const flat =
        builder.CreatePtrAdd(address->getPointerOperand(), offset, address->getName(), address->getNoWrapFlags());
    address->replaceAllUsesWith(flat);
    address->eraseFromParent();
  }
}

void dropHints(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const hint = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!hint || hint->isLifetimeStartOrEnd() || llvm::isa<llvm::DbgInfoIntrinsic>(hint)) continue;
    if (hint->getIntrinsicID() == llvm::Intrinsic::expect ||
        hint->getIntrinsicID() == llvm::Intrinsic::expect_with_probability)
      hint->replaceAllUsesWith(hint->getArgOperand(0));
    const bool assumes = hint->isAssumeLikeIntrinsic() && hint->getType()->isVoidTy();
    if (assumes || hint->getIntrinsicID() == llvm::Intrinsic::prefetch) hint->eraseFromParent();
  }
}

}  // namespace

llvm::Value* upperHalfOfProduct(llvm::IRBuilderBase& b, llvm::Value* x, llvm::Value* y, bool isSigned) {
  llvm::Value* const upper = unsignedUpperHalf(b, x, y);
  if (!isSigned) return upper;
  // Of two's complement: minus y where x is negative, and minus x where y is (Hacker's Delight, 8-3).
  llvm::Value* const first = b.CreateAnd(b.CreateAShr(x, 63), y);
  return b.CreateSub(b.CreateSub(upper, first), b.CreateAnd(b.CreateAShr(y, 63), x));
}

void createCompareExchange(llvm::IRBuilderBase& builder, llvm::Value* pointer, llvm::Value* seen, llvm::Value* wanted,
                           llvm::Align align, llvm::AtomicOrdering order, llvm::SyncScope::ID scope,
                           llvm::Value*& success, llvm::Value*& loaded, llvm::Instruction*) {
  llvm::Type* const type = seen->getType();
  llvm::Type* const bits = builder.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()));
  const bool cast = type->isFloatingPointTy();
  llvm::Value* const pair = builder.CreateAtomicCmpXchg(
      pointer, cast ? builder.CreateBitCast(seen, bits) : seen, cast ? builder.CreateBitCast(wanted, bits) : wanted,
      align, order, llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order), scope);
  success = builder.CreateExtractValue(pair, 1);
  loaded = builder.CreateExtractValue(pair, 0);
  if (cast) loaded = builder.CreateBitCast(loaded, type);
}

void legalizeConstructs(Lowering& lowering) {
  const auto wanted = [&](const char* what) { return llvm::is_contained(lowering.descriptor.legalize, what); };
  if (wanted("generic_accesses")) nameSpacesOfAccesses(lowering);
  if (wanted("end_item")) returnAtEnds(*lowering.module);
  // Behind it: it makes vectors of any length.
  if (wanted("vectors")) scalariseOddVectors(lowering);
  if (wanted("irreducible")) fixIrreducible(lowering);
  for (llvm::Function& function : *lowering.module) {
    if (function.isDeclaration()) continue;
    settleMoves(function, lowering.descriptor.addressSpaces);
    if (wanted("aggregates")) splitAggregateChoices(function);
    if (wanted("copies") && lowering.job.options.optLevel != OptLevel::O0) widenCopies(function);
    if (wanted("overflow")) replaceCalls(function, expandedOverflow);
    if (wanted("intrinsics")) {
      replaceCalls(function, expandedIntrinsic);
      settleNotANumber(function);
      expandMemorySets(function);
    }
    if (wanted("partword_atomics")) widenPartwordAtomics(function);
    if (wanted("atomics")) expandAtomics(function, lowering.descriptor);
    if (wanted("ordered_atomics")) orderByFences(function);
    if (wanted("addresses")) flattenAddresses(function);
    if (wanted("hints")) dropHints(function);
    if (wanted("narrow_floats") && lowering.machine) widenNarrowFloats(function, *lowering.machine);
    if (wanted("bfloat")) widenBfloats(function);
    if (wanted("wide_conversions")) expandWideConversions(function);
    if (wanted("integers")) {
      splitOddAccesses(function);
      splitWideIntegers(function);
      widenIntegers(function);
    }
    if (wanted("free_choices") && lowering.machine)
      bindFreeChoices(function, lowering.machine->getTargetTransformInfo(function));
  }
  if (wanted("bfloat")) keepBfloatsAsBits(*lowering.module, lowering.descriptor.pipeline != PipelineKind::items);
  if (lowering.descriptor.codegen.oneTrap) shareTraps(*lowering.module);
}

void shareTraps(llvm::Module& module) {
  const auto isTrap = [](const llvm::Instruction& instruction) {
    const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call && call->getIntrinsicID() == llvm::Intrinsic::trap;
  };
  for (llvm::Function& function : module) {
    llvm::SmallVector<llvm::Instruction*> traps;
    for (llvm::BasicBlock& block : function) {
      const auto found = llvm::find_if(block, isTrap);
      if (found != block.end()) traps.push_back(&*found);
    }
    if (traps.size() < 2) continue;
    llvm::BasicBlock* const shared = llvm::BasicBlock::Create(module.getContext(), "trap", &function);
    for (llvm::Instruction* trap : traps) {
      llvm::BasicBlock* const block = trap->getParent();
      llvm::changeToUnreachable(trap->getNextNode());  // nothing behind a trap runs
      block->getTerminator()->eraseFromParent();
      llvm::IRBuilder<>(block).CreateBr(shared);
      trap->moveBefore(*shared, shared->end());
      if (trap != traps.front()) trap->eraseFromParent();
    }
    traps.front()->dropLocation();
    new llvm::UnreachableInst(module.getContext(), shared);
  }
}

}  // namespace lathe::detail
