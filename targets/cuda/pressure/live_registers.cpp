// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Live results of instructions: each use marks the blocks between itself and its definition.
#include "targets/cuda/pressure/live_registers.h"

#include <algorithm>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include "targets/cuda/pressure/shared_addresses.h"

namespace lathe::targets {
namespace {

/// Blocks times results above which nothing is computed: the tables would be larger than the module.
constexpr std::uint64_t largest = std::uint64_t{1} << 28;

bool isUsedElsewhere(const llvm::Instruction& instruction) {
  return llvm::any_of(instruction.users(), [&](const llvm::User* user) {
    const auto* const other = llvm::cast<llvm::Instruction>(user);
    return other->getParent() != instruction.getParent() || llvm::isa<llvm::PHINode>(other);
  });
}

}  // namespace

std::uint64_t registersOf(const llvm::Instruction& instruction) {
  llvm::Type* const type = instruction.getType();
  if (!type->isSized() || type->isIntegerTy(1)) return 0;
  if (isSharedAddress(instruction)) return 1;
  return llvm::divideCeil(instruction.getDataLayout().getTypeSizeInBits(type).getFixedValue(), 32);
}

LiveRegisters::LiveRegisters(llvm::Function& function) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!isUsedElsewhere(instruction) || registersOf(instruction) == 0) continue;
    numbers_.try_emplace(&instruction, static_cast<unsigned>(results_.size()));
    results_.push_back(&instruction);
  }
  const auto count = static_cast<unsigned>(results_.size());
  if (std::uint64_t{count} * function.size() > largest) return;
  for (const llvm::BasicBlock& block : function)
    blocks_.try_emplace(&block, Live{llvm::BitVector(count), llvm::BitVector(count)});
  for (unsigned number = 0; number != count; ++number) {
    for (const llvm::Use& use : results_[number]->uses()) {
      auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
      if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(user))
        reachOutOf(number, *phi->getIncomingBlock(use));
      else if (user->getParent() != results_[number]->getParent())
        reachInto(number, *user->getParent());
    }
  }
  crossing_.resize(count);
  for (const llvm::BasicBlock& block : function) {
    if (mostIn(block) <= manyRegisters) continue;
    crowded_.push_back(&block);
    crossing_ |= blocks_.find(&block)->second.into;
  }
}

bool LiveRegisters::isLiveInto(const llvm::Instruction& instruction, const llvm::BasicBlock& block) const {
  const auto number = numbers_.find(&instruction);
  const auto live = blocks_.find(&block);
  return number != numbers_.end() && live != blocks_.end() && live->second.into.test(number->second);
}

std::uint64_t LiveRegisters::registersInto(const llvm::BasicBlock& block) const {
  std::uint64_t out = 0;
  if (const auto live = blocks_.find(&block); live != blocks_.end())
    for (const unsigned number : live->second.into.set_bits()) out += registersOf(*results_[number]);
  for (const llvm::PHINode& phi : block.phis()) out += registersOf(phi);
  return out;
}

bool LiveRegisters::crossesCrowd(const llvm::Instruction& instruction) const {
  const auto number = numbers_.find(&instruction);
  return number != numbers_.end() && number->second < crossing_.size() && crossing_.test(number->second);
}

void LiveRegisters::reachInto(unsigned number, llvm::BasicBlock& block) {
  llvm::SmallVector<llvm::BasicBlock*> reached{&block};
  while (!reached.empty()) {
    llvm::BasicBlock* const next = reached.pop_back_val();
    llvm::BitVector& into = blocks_[next].into;
    if (into.test(number)) continue;
    into.set(number);
    for (llvm::BasicBlock* const before : llvm::predecessors(next)) {
      blocks_[before].outOf.set(number);
      if (results_[number]->getParent() != before) reached.push_back(before);
    }
  }
}

void LiveRegisters::reachOutOf(unsigned number, llvm::BasicBlock& block) {
  blocks_[&block].outOf.set(number);
  if (results_[number]->getParent() != &block) reachInto(number, block);
}

std::uint64_t LiveRegisters::mostIn(const llvm::BasicBlock& block) const {
  llvm::SmallPtrSet<const llvm::Instruction*, 32> live;
  std::uint64_t now = 0;
  for (const unsigned number : blocks_.find(&block)->second.outOf.set_bits()) {
    live.insert(results_[number]);
    now += registersOf(*results_[number]);
  }
  std::uint64_t most = now;
  for (const llvm::Instruction& instruction : llvm::reverse(block)) {
    if (live.erase(&instruction)) now -= registersOf(instruction);
    if (llvm::isa<llvm::PHINode>(instruction)) continue;
    for (const llvm::Value* value : instruction.operand_values()) {
      const auto* const operand = llvm::dyn_cast<llvm::Instruction>(value);
      if (operand && live.insert(operand).second) now += registersOf(*operand);
    }
    most = std::max(most, now);
  }
  return most;
}

}  // namespace lathe::targets
