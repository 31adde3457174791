// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses in other blocks.
#include "targets/cuda/pressure/far_uses.h"

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"

#include "targets/cuda/pressure/live_registers.h"

namespace lathe::targets {
namespace {

/// Blocks in which one value may be computed again.
constexpr std::size_t mostPlaces = 4;

}  // namespace

FarUses::FarUses(llvm::Function& function, const LiveRegisters& lives)
    : lives_(lives), dominators_(function), loops_(dominators_) {}

std::optional<FarUses::Places> FarUses::of(llvm::Instruction& value, const llvm::Value& operand,
                                           llvm::function_ref<bool(const llvm::Use&)> permits) const {
  Places out;
  llvm::BasicBlock* const home = value.getParent();
  for (llvm::Use& use : value.uses()) {
    auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
    llvm::BasicBlock* const place = user->getParent();
    if (place == home && !llvm::isa<llvm::PHINode>(user)) continue;
    if (!permits(use) || loops_.getLoopDepth(place) > loops_.getLoopDepth(home) || !isKeptFor(operand, *place))
      return std::nullopt;
    out[place].push_back(&use);
  }
  if (out.empty() || out.size() > mostPlaces) return std::nullopt;
  return out;
}

llvm::Instruction* FarUses::firstOf(llvm::BasicBlock& block, llvm::ArrayRef<llvm::Use*> uses) {
  llvm::Instruction* first = block.getTerminator();
  for (const llvm::Use* use : uses) {
    auto* const user = llvm::cast<llvm::Instruction>(use->getUser());
    if (user->getParent() == &block && !llvm::isa<llvm::PHINode>(user) && user->comesBefore(first)) first = user;
  }
  return first;
}

/// True if `operand` has a register in `place` anyway, or had one just before it.
bool FarUses::isKeptFor(const llvm::Value& operand, const llvm::BasicBlock& place) const {
  const auto* const made = llvm::dyn_cast<llvm::Instruction>(&operand);
  if (!made) return true;
  const auto isIn = [&](const llvm::BasicBlock& block) {
    return made->getParent() == &block || lives_.isLiveInto(*made, block);
  };
  if (isIn(place)) return true;
  const llvm::DomTreeNode* const node = dominators_.getNode(&place);
  return node && node->getIDom() && isIn(*node->getIDom()->getBlock());
}

}  // namespace lathe::targets
