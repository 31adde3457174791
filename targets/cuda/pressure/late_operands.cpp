// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computations within a block, as late as their first use.
#include "targets/cuda/pressure/late_operands.h"

#include <cstdint>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"

#include "targets/cuda/pressure/invariants.h"
#include "targets/cuda/pressure/live_registers.h"

namespace lathe::targets {
namespace {

/// A block whose instructions have numbers, which those that move take from where they go: LLVM's own would be made
/// anew after each move.
class Block {
 public:
  explicit Block(llvm::BasicBlock& block) : block_(block) {
    unsigned number = 0;
    for (const llvm::Instruction& instruction : block) numbers_[&instruction] = ++number;
  }

  bool run() {
    llvm::SmallVector<llvm::Instruction*> cheap;
    for (llvm::Instruction& instruction : block_)
      if (isCheapInteger(instruction)) cheap.push_back(&instruction);
    bool changed = false;
    // From the end: what uses a computation has moved before it does.
    for (llvm::Instruction* const instruction : llvm::reverse(cheap)) {
      llvm::Instruction* const place = firstUse(*instruction);
      if (!place || instruction->getNextNode() == place || keptUntil(*instruction, *place) > registersOf(*instruction))
        continue;
      instruction->moveBefore(place->getIterator());
      numbers_[instruction] = numbers_[place];
      changed = true;
    }
    return changed;
  }

 private:
  /// What moved to a place has its number, and stands before it.
  bool isBefore(const llvm::Instruction& one, const llvm::Instruction& other) const {
    const unsigned first = numbers_.lookup(&one), second = numbers_.lookup(&other);
    return first != second ? first < second : one.comesBefore(&other);
  }

  bool isElsewhere(const llvm::Instruction& user) const {
    return user.getParent() != &block_ || llvm::isa<llvm::PHINode>(user);
  }

  /// The first use of `value`, if all are in the block.
  llvm::Instruction* firstUse(llvm::Instruction& value) const {
    llvm::Instruction* first = nullptr;
    for (llvm::User* const user : value.users()) {
      auto* const other = llvm::cast<llvm::Instruction>(user);
      if (isElsewhere(*other)) return nullptr;
      if (!first || isBefore(*other, *first)) first = other;
    }
    return first;
  }

  /// Registers of what `value` is made of that would not be in any at `place` but for it.
  std::uint64_t keptUntil(const llvm::Instruction& value, const llvm::Instruction& place) const {
    std::uint64_t kept = 0;
    for (const llvm::Value* const used : value.operand_values()) {
      const auto* const operand = llvm::dyn_cast<llvm::Instruction>(used);
      if (!operand) continue;
      const bool isThere = llvm::any_of(operand->users(), [&](const llvm::User* user) {
        const auto* const other = llvm::cast<llvm::Instruction>(user);
        return other != &value && (isElsewhere(*other) || !isBefore(*other, place));
      });
      if (!isThere) kept += registersOf(*operand);
    }
    return kept;
  }

  llvm::BasicBlock& block_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> numbers_;
};

}  // namespace

bool computeLate(const LiveRegisters& lives) {
  bool changed = false;
  for (const llvm::BasicBlock* const crowded : lives.crowded())
    changed |= Block(const_cast<llvm::BasicBlock&>(*crowded)).run();
  return changed;
}

}  // namespace lathe::targets
