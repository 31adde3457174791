// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of loads and computations in a block, as far as it costs registers, and what is done about those that
// results take between blocks.
#include "targets/cuda/pressure/lives.h"

#include <algorithm>
#include <memory>

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include "targets/cuda/pressure/bit_fields.h"
#include "targets/cuda/pressure/crowded_loops.h"
#include "targets/cuda/pressure/invariants.h"
#include "targets/cuda/pressure/late_operands.h"
#include "targets/cuda/pressure/live_registers.h"
#include "targets/cuda/pressure/shared_addresses.h"
#include "targets/cuda/pressure/sunk.h"
#include "targets/cuda/pressure/taken_ways.h"

namespace lathe::targets {
namespace {

/// The most registers that hold results of `block` at one place in it. Addresses are within accesses.
std::uint64_t mostRegisters(const llvm::BasicBlock& block) {
  llvm::DenseMap<const llvm::Instruction*, unsigned> pending;
  std::uint64_t now = 0, most = 0;
  for (const llvm::Instruction& instruction : block) {
    for (const llvm::Use& operand : instruction.operands()) {
      const auto known = pending.find(llvm::dyn_cast<llvm::Instruction>(operand.get()));
      if (known == pending.end() || --known->second > 0) continue;
      now -= registersOf(*known->first);
      pending.erase(known);
    }
    if (instruction.use_empty() || llvm::isa<llvm::GetElementPtrInst>(instruction)) continue;
    pending.try_emplace(&instruction, instruction.getNumUses());
    now += registersOf(instruction);
    most = std::max(most, now);
  }
  return most;
}

/// The place behind the last operand of `instruction` in its block, or null to leave it where it is: it must end the
/// lives of at least as many registers as its result takes.
llvm::Instruction* earliestPlace(llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode, llvm::GetElementPtrInst>(instruction) || instruction.isTerminator() ||
      instruction.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&instruction))
    return nullptr;
  llvm::Instruction* last = nullptr;
  std::uint64_t ended = 0;
  for (const llvm::Use& used : instruction.operands()) {
    auto* const operand = llvm::dyn_cast<llvm::Instruction>(used.get());
    if (!operand || operand->getParent() != instruction.getParent()) continue;
    if (operand->hasOneUse()) ended += registersOf(*operand);
    if (!last || last->comesBefore(operand)) last = operand;
  }
  if (!last || ended < registersOf(instruction)) return nullptr;
  return llvm::isa<llvm::PHINode>(last) ? &*instruction.getParent()->getFirstInsertionPt() : last->getNextNode();
}

void shortenLives(llvm::BasicBlock& block) {
  if (mostRegisters(block) <= manyRegisters) return;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
    llvm::Instruction* const place = earliestPlace(instruction);
    if (place && place->comesBefore(&instruction)) instruction.moveBefore(place->getIterator());
  }
}

}  // namespace

void shortenLives(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    for (llvm::BasicBlock& block : function) shortenLives(block);
    const LiveRegisters lives(function);
    if (!lives.crowded().empty()) recomputeAddresses(function, lives);
    takeFieldsAgain(function, lives);
    if (!lives.crowded().empty()) raiseSunk(function, lives);
  }
}

bool shortenLivesLast(llvm::Function& function) {
  auto lives = std::make_unique<LiveRegisters>(function);
  if (lives->crowded().empty()) return false;
  const bool sunk = sinkIntoCrowdedLoops(function, *lives);
  if (sunk) lives = std::make_unique<LiveRegisters>(function);
  const bool sunkFurther = sinkInvariants(function, *lives);
  const bool taken = computeWhereTaken(function);
  return computeLate(*lives) || sunk || sunkFurther || taken;
}

}  // namespace lathe::targets
