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
//   overflow          arithmetic that returns its overflow (intrinsics.cpp)
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
#include "llvm/Transforms/Utils/Local.h"

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
  if (wanted("irreducible")) {
    llvm::FunctionPassManager passes;
    passes.addPass(FixLoopEntries());
    Pipeline(lowering, /*vectorise=*/false).run(std::move(passes));
  }
  for (llvm::Function& function : *lowering.module) {
    if (function.isDeclaration()) continue;
    settleMoves(function, lowering.descriptor.addressSpaces);
    if (wanted("aggregates")) splitAggregateChoices(function);
    if (wanted("copies") && lowering.job.options.optLevel != OptLevel::O0) widenCopies(function);
    if (wanted("overflow")) expandOverflow(function);
    if (wanted("intrinsics")) expandIntrinsics(function);
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
