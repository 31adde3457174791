// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that loops do not change, computed in the loops.
#include "targets/cuda/pressure/invariants.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include "targets/cuda/pressure/far_uses.h"
#include "targets/cuda/pressure/live_registers.h"

namespace lathe::targets {
namespace {

/// Instructions that one number may cost at a place where it is computed again.
constexpr std::size_t mostSteps = 4;
/// Numbers that wait for a full loop and have one part in common, which waits in place of them.
constexpr unsigned fewestOfRoot = 8;
/// Instructions of a loop to which a few more make no difference.
constexpr std::size_t longLoop = 512;
/// Places at which one number may be computed again.
constexpr std::size_t mostPlaces = 16;

class Sinking {
 public:
  Sinking(llvm::Function& function, const LiveRegisters& lives)
      : function_(function), lives_(lives), dominators_(function), loops_(dominators_) {}

  bool run() {
    if (loops_.empty()) return false;
    for (const llvm::Loop* const loop : loops_.getLoopsInPreorder())
      if (loop->isInnermost() && (lives_.registersInto(*loop->getHeader()) > allRegisters || isLong(*loop)))
        full_.insert(loop);
    if (!full_.empty()) countRoots();
    bool changed = false;
    // Users before what they are made of.
    for (llvm::BasicBlock* const block : llvm::post_order(&function_)) {
      for (llvm::Instruction& instruction : llvm::reverse(*block))
        if (isCheapInteger(instruction) && (instruction.getType()->isIntegerTy(1) || lives_.crossesCrowd(instruction)))
          changed |= sink(instruction);
    }
    for (llvm::Instruction* const instruction : dead_) instruction->eraseFromParent();
    return changed;
  }

 private:
  using Steps = llvm::SmallSetVector<llvm::Instruction*, mostSteps>;
  struct Place {
    llvm::SmallVector<llvm::Use*, 2> uses;
    Steps steps;  ///< operands before users
  };

  /// The block in which a use in `block` has its number computed again: not in an innermost loop that has room. Null:
  /// there is no loop around it that `home` is outside of.
  llvm::BasicBlock* placeFor(llvm::BasicBlock& block, const llvm::BasicBlock& home) const {
    llvm::Loop* const used = loops_.getLoopFor(&block);
    if (!used || used->contains(&home)) return nullptr;
    if (!used->isInnermost() || full_.contains(used)) return &block;
    llvm::Loop* const around = used->getParentLoop();
    if (!around || around->contains(&home)) return nullptr;
    // Loops need not have a block of their own in front any more.
    const llvm::DomTreeNode* node = dominators_.getNode(used->getHeader());
    do node = node->getIDom();
    while (loops_.getLoopFor(node->getBlock()) != around);
    return node->getBlock();
  }

  static bool isLong(const llvm::Loop& loop) {
    std::size_t size = 0;
    for (const llvm::BasicBlock* const block : loop.blocks()) size += block->size();
    return size >= longLoop;
  }

  /// Counts of how many numbers that wait somewhere each number is a part.
  void countRoots() {
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      if (!isCheapInteger(instruction) || !lives_.crossesCrowd(instruction)) continue;
      llvm::SmallSetVector<llvm::Instruction*, 16> parts;
      parts.insert(&instruction);
      for (std::size_t i = 0; i != parts.size() && parts.size() <= 2 * mostSteps; ++i) {
        if (!isCheapInteger(*parts[i])) continue;
        for (llvm::Value* const operand : parts[i]->operand_values())
          if (auto* const made = llvm::dyn_cast<llvm::Instruction>(operand)) parts.insert(made);
      }
      for (const llvm::Instruction* const part : parts) ++roots_[part];
    }
  }
  bool isRoot(const llvm::Instruction& instruction) const {
    const auto found = roots_.find(&instruction);
    return found != roots_.end() && found->second >= fewestOfRoot;
  }

  /// Puts all steps to `value` that have no register at `place` into `steps`, operands first. False: they are too many,
  /// or not all cheap.
  bool collect(llvm::Instruction& value, const llvm::BasicBlock& place, Steps& steps, std::size_t depth = 0) const {
    if (depth == mostSteps || !isCheapInteger(value)) return false;
    for (llvm::Value* const operand : value.operand_values()) {
      auto* const made = llvm::dyn_cast<llvm::Instruction>(operand);
      if (!made || lives_.isLiveInto(*made, place) || steps.contains(made) || isRoot(*made)) continue;
      if (!collect(*made, place, steps, depth + 1)) return false;
    }
    steps.insert(&value);
    return steps.size() <= mostSteps;
  }

  bool sink(llvm::Instruction& value) {
    if (isRoot(value)) return false;
    llvm::MapVector<llvm::BasicBlock*, Place> places;
    for (llvm::Use& use : value.uses()) {
      auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
      const auto* const phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::BasicBlock* const block = phi ? phi->getIncomingBlock(use) : user->getParent();
      llvm::BasicBlock* const place = placeFor(*block, *value.getParent());
      if (!place) return false;
      places[place].uses.push_back(&use);
    }
    if (places.empty() || places.size() > mostPlaces) return false;
    for (auto& [block, place] : places)
      if (!collect(value, *block, place.steps)) return false;
    for (auto& [block, place] : places) computeAgain(value, *block, place);
    drop(value);
    return true;
  }

  /// Takes leave of an instruction without users and of what is only for it. The tables know them: they go at the end.
  void drop(llvm::Instruction& unused) {
    dead_.push_back(&unused);
    for (llvm::Use& use : unused.operands()) {
      auto* const operand = llvm::dyn_cast<llvm::Instruction>(use.get());
      if (!operand) continue;
      use.set(llvm::PoisonValue::get(operand->getType()));
      if (operand->use_empty() && isCheapInteger(*operand)) drop(*operand);
    }
  }

  static void computeAgain(const llvm::Instruction& value, llvm::BasicBlock& block, const Place& place) {
    llvm::Instruction* const first = FarUses::firstOf(block, place.uses);
    llvm::DenseMap<const llvm::Value*, llvm::Instruction*> copies;
    for (llvm::Instruction* const step : place.steps) {
      llvm::Instruction* const copy = step->clone();
      copy->insertBefore(first->getIterator());
      for (llvm::Use& operand : copy->operands())
        if (const auto known = copies.find(operand.get()); known != copies.end()) operand.set(known->second);
      copies[step] = copy;
    }
    for (llvm::Use* use : place.uses) use->set(copies.lookup(&value));
  }

  llvm::Function& function_;
  const LiveRegisters& lives_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::SmallVector<llvm::Instruction*> dead_;
  /// Innermost loops that need more numbers from outside than there are registers.
  llvm::SmallPtrSet<const llvm::Loop*, 4> full_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> roots_;
};

}  // namespace

bool isCheapInteger(const llvm::Instruction& instruction) {
  constexpr unsigned word = 64, product = 32;
  const auto isWord = [](const llvm::Type* type) {
    return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= word);
  };
  if (const auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    const auto variable = llvm::count_if(
        place->indices(), [](const llvm::Use& index) { return !llvm::isa<llvm::ConstantInt>(index.get()); });
    return isWord(place->getType()) && variable <= 1;
  }
  if (llvm::isa<llvm::ICmpInst>(instruction)) return isWord(instruction.getOperand(0)->getType());
  if (!instruction.getType()->isIntegerTy() || !isWord(instruction.getType())) return false;
  if (llvm::isa<llvm::MinMaxIntrinsic>(instruction)) return true;
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return cast->isIntegerCast() && isWord(cast->getSrcTy());
  const auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
  if (!operation || operation->isIntDivRem()) return false;
  return operation->getOpcode() != llvm::Instruction::Mul || operation->getType()->getIntegerBitWidth() <= product;
}

bool sinkInvariants(llvm::Function& function, const LiveRegisters& lives) {
  return Sinking(function, lives).run();
}

}  // namespace lathe::targets
