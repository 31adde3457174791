// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses that a loop does not change, of which there are more than registers.
#include "targets/cuda/pressure/crowded_loops.h"

#include <cstdint>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

#include "targets/cuda/pressure/invariants.h"
#include "targets/cuda/pressure/live_registers.h"

namespace lathe::targets {
namespace {

using Addresses = llvm::SmallSetVector<llvm::Instruction*, 32>;

/// The address computation outside of the loop that `value` is, or null.
llvm::Instruction* addressBefore(const llvm::Loop& loop, llvm::Value* value) {
  auto* const address = llvm::dyn_cast_if_present<llvm::GetElementPtrInst>(value);
  return address && !loop.contains(address) && isCheapInteger(*address) ? address : nullptr;
}

/// The addresses of accesses and what they are the next address of, which nothing but the loop needs.
Addresses addressesOf(const llvm::Loop& loop) {
  Addresses out;
  for (const llvm::BasicBlock* const block : loop.blocks()) {
    for (const llvm::Instruction& access : *block)
      if (auto* const address =
              addressBefore(loop, const_cast<llvm::Value*>(llvm::getLoadStorePointerOperand(&access))))
        out.insert(address);
  }
  for (std::size_t i = 0; i != out.size(); ++i)
    if (auto* const base = addressBefore(loop, out[i]->getOperand(0))) out.insert(base);
  const auto isNeeded = [&](const llvm::Instruction* address) {
    return llvm::any_of(address->users(), [&](const llvm::User* user) {
      auto* const other = const_cast<llvm::Instruction*>(llvm::cast<llvm::Instruction>(user));
      return !out.contains(other) && (!loop.contains(other) || llvm::isa<llvm::PHINode>(other));
    });
  };
  while (out.remove_if(isNeeded)) {
  }
  return out;
}

/// True if the loop gets along with half of the registers, or fewer, for what the addresses are made of.
bool freesRegisters(const llvm::Loop& loop, const Addresses& addresses, const LiveRegisters& lives) {
  std::uint64_t ended = 0, made = 0;
  llvm::SmallPtrSet<const llvm::Instruction*, 32> seen;
  for (const llvm::Instruction* const address : addresses) {
    if (lives.isLiveInto(*address, *loop.getHeader())) ended += registersOf(*address);
    for (const llvm::Value* const value : address->operand_values()) {
      const auto* const operand = llvm::dyn_cast<llvm::Instruction>(value);
      const bool stays = operand && !addresses.contains(const_cast<llvm::Instruction*>(operand));
      if (stays && !lives.isLiveInto(*operand, *loop.getHeader()) && seen.insert(operand).second)
        made += registersOf(*operand);
    }
  }
  return ended > allRegisters && made <= ended / 2;
}

/// Moves an address to the first of its users, or to the block that leads to all of them.
void moveToUsers(llvm::Instruction& address, const llvm::DominatorTree& dominators) {
  llvm::BasicBlock* block = nullptr;
  for (const llvm::User* const user : address.users()) {
    auto* const next = const_cast<llvm::BasicBlock*>(llvm::cast<llvm::Instruction>(user)->getParent());
    block = block ? dominators.findNearestCommonDominator(block, next) : next;
  }
  llvm::Instruction* first = block->getTerminator();
  for (llvm::User* const user : address.users()) {
    auto* const other = llvm::cast<llvm::Instruction>(user);
    if (other->getParent() == block && other->comesBefore(first)) first = other;
  }
  address.moveBefore(first->getIterator());
}

/// Users go before what they are made of.
void moveAll(const Addresses& addresses, const llvm::DominatorTree& dominators) {
  llvm::DenseMap<const llvm::Value*, unsigned> waiting;
  for (const llvm::Instruction* const address : addresses)
    if (addresses.contains(llvm::dyn_cast<llvm::Instruction>(address->getOperand(0))))
      ++waiting[address->getOperand(0)];
  llvm::SmallVector<llvm::Instruction*> ready;
  for (llvm::Instruction* const address : addresses)
    if (!waiting.contains(address)) ready.push_back(address);
  while (!ready.empty()) {
    llvm::Instruction* const address = ready.pop_back_val();
    moveToUsers(*address, dominators);
    const auto base = waiting.find(address->getOperand(0));
    if (base != waiting.end() && --base->second == 0)
      ready.push_back(llvm::cast<llvm::Instruction>(address->getOperand(0)));
  }
}

}  // namespace

bool sinkIntoCrowdedLoops(llvm::Function& function, const LiveRegisters& lives) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  bool changed = false;
  for (const llvm::Loop* const loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    const Addresses addresses = addressesOf(*loop);
    if (!freesRegisters(*loop, addresses, lives)) continue;
    moveAll(addresses, dominators);
    changed = true;
  }
  return changed;
}

}  // namespace lathe::targets
