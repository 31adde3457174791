// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop waits if it writes nothing but what a repetition writes again (a lock's exchange), calls nothing that may do
// more, and leaves by conditions that come from memory and from nothing that changes from one iteration to the next:
//
//   loop:  %v = load volatile i32, ptr %flag        ; no phi leads to %v, nor to %flag
//          br i1 (%v == 0), label %loop, label %done
//
// A loop that counts, walks along a list, or compares and swaps what it computed of an earlier value is none.
#include "core/sanitizer/waits.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include "core/abi/device_abi.h"

namespace lathe::detail {
namespace {

bool isZero(const llvm::Value& value) {
  const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(&value);
  return number && number->isZero();
}

/// Whether an update that is made twice changes nothing the second time.
bool isRepeatable(const llvm::AtomicRMWInst& update, const llvm::Loop& loop) {
  using Update = llvm::AtomicRMWInst;
  switch (update.getOperation()) {
    case Update::Xchg:
    case Update::And:
    case Update::Or:
    case Update::Max:
    case Update::Min:
    case Update::UMax:
    case Update::UMin:
      return loop.isLoopInvariant(update.getValOperand());
    case Update::Add:
    case Update::Sub:
    case Update::Xor:
      return isZero(*update.getValOperand());
    default:
      return false;
  }
}

bool isHarmlessCall(const llvm::CallBase& call) {
  if (const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return intrinsic->isAssumeLikeIntrinsic() || intrinsic->doesNotAccessMemory();
  const llvm::Function* const callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration()) return false;
  const AbiEntry* const entry = findAbiEntry(std::string_view(callee->getName()));
  return entry && (entry->id == AbiId::sleep || entry->id == AbiId::fence || entry->effects == AbiEffect::none);
}

bool mayRepeat(const llvm::Instruction& instruction, const llvm::Loop& loop) {
  if (llvm::isa<llvm::LoadInst, llvm::FenceInst>(instruction)) return true;
  if (const auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return isRepeatable(*update, loop);
  if (const auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return loop.isLoopInvariant(exchange->getCompareOperand()) && loop.isLoopInvariant(exchange->getNewValOperand());
  if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return isHarmlessCall(*call);
  return !instruction.mayReadOrWriteMemory();
}

/// Whether others can write what the instruction reads.
bool readsOthers(const llvm::Instruction& instruction) {
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (const auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    pointer = update->getPointerOperand();
  if (const auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    pointer = exchange->getPointerOperand();
  return pointer && !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
}

/// What the loop's branches depend on, within it. Nothing if that changes from one iteration to the next.
bool collectConditions(const llvm::Loop& loop, llvm::SmallSetVector<const llvm::Value*, 16>& out) {
  for (const llvm::BasicBlock* block : loop.blocks()) {
    const llvm::Instruction* const end = block->getTerminator();
    if (const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(end)) {
      if (branch->isConditional()) out.insert(branch->getCondition());
    } else if (const auto* const choice = llvm::dyn_cast<llvm::SwitchInst>(end); choice && !loop.isLoopExiting(block)) {
      out.insert(choice->getCondition());
    } else {
      return false;
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(out[i]);
    if (!instruction || !loop.contains(instruction)) continue;
    if (llvm::isa<llvm::PHINode>(instruction) && instruction->getParent() == loop.getHeader()) return false;
    for (const llvm::Value* operand : instruction->operands())
      if (!llvm::isa<llvm::BasicBlock>(operand)) out.insert(operand);
  }
  return true;
}

/// The first read that the end of the loop waits for; null if it waits for nothing.
llvm::Instruction* waitsFor(const llvm::Loop& loop) {
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block)
      if (!instruction.isTerminator() && !mayRepeat(instruction, loop)) return nullptr;
  llvm::SmallSetVector<const llvm::Value*, 16> conditions;
  if (!collectConditions(loop, conditions)) return nullptr;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& instruction : *block)
      if (conditions.contains(&instruction) && readsOthers(instruction)) return &instruction;
  return nullptr;
}

}  // namespace

std::vector<WaitLoop> findWaits(llvm::Function& function) {
  std::vector<WaitLoop> out;
  llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::Instruction* const read = loop->isInnermost() ? waitsFor(*loop) : nullptr;
    if (!read) continue;
    WaitLoop& found = out.emplace_back(WaitLoop{.read = read, .latches = {}, .exits = {}});
    loop->getLoopLatches(found.latches);
    llvm::SmallVector<llvm::Loop::Edge> exits;
    loop->getExitEdges(exits);
    for (const auto& [from, to] : exits)
      found.exits.emplace_back(const_cast<llvm::BasicBlock*>(from), const_cast<llvm::BasicBlock*>(to));
  }
  return out;
}

}  // namespace lathe::detail
