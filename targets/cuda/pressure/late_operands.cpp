// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computations within a block, as late as their first use.
#include "targets/cuda/pressure/late_operands.h"

#include <cstdint>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"

#include "targets/cuda/pressure/invariants.h"
#include "targets/cuda/pressure/live_registers.h"

namespace lathe::targets {
namespace {

/// The first use of `value`, if all are in its block.
llvm::Instruction* firstUse(const llvm::Instruction& value) {
  llvm::Instruction* first = nullptr;
  for (const llvm::User* user : value.users()) {
    auto* const other = llvm::cast<llvm::Instruction>(const_cast<llvm::User*>(user));
    if (other->getParent() != value.getParent() || llvm::isa<llvm::PHINode>(other)) return nullptr;
    if (!first || other->comesBefore(first)) first = other;
  }
  return first;
}

/// Registers of what `value` is made of that would not be in any at `place` but for it.
std::uint64_t keptUntil(const llvm::Instruction& value, const llvm::Instruction& place) {
  std::uint64_t kept = 0;
  for (const llvm::Value* const used : value.operand_values()) {
    const auto* const operand = llvm::dyn_cast<llvm::Instruction>(used);
    if (!operand) continue;
    const bool isThere = llvm::any_of(operand->users(), [&](const llvm::User* user) {
      const auto* const other = llvm::cast<llvm::Instruction>(user);
      return other != &value && (other->getParent() != place.getParent() || llvm::isa<llvm::PHINode>(other) ||
                                 !other->comesBefore(&place));
    });
    if (!isThere) kept += registersOf(*operand);
  }
  return kept;
}

}  // namespace

bool computeLate(const LiveRegisters& lives) {
  bool changed = false;
  for (const llvm::BasicBlock* const crowded : lives.crowded()) {
    auto& block = const_cast<llvm::BasicBlock&>(*crowded);
    // From the end: what uses a computation has moved before it does.
    llvm::SmallVector<llvm::Instruction*> cheap;
    for (llvm::Instruction& instruction : block)
      if (isCheapInteger(instruction)) cheap.push_back(&instruction);
    for (llvm::Instruction* const instruction : llvm::reverse(cheap)) {
      llvm::Instruction* const place = firstUse(*instruction);
      if (!place || instruction->getNextNode() == place || keptUntil(*instruction, *place) > registersOf(*instruction))
        continue;
      instruction->moveBefore(place->getIterator());
      changed = true;
    }
  }
  return changed;
}

}  // namespace lathe::targets
