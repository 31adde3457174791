// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phis of equal computations.
#include "core/lower/passes/equal_phis.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

namespace lathe::detail {
namespace {

/// Steps of a computation that are compared.
constexpr unsigned deepest = 4;
/// Blocks that each compute the value; where more use it, the phi's own block does.
constexpr std::size_t mostPlaces = 4;

using Operands = llvm::SmallPtrSet<const llvm::Instruction*, 4>;

/// True for what costs about as much as the move that a phi is.
bool isCheap(const llvm::Instruction& instruction) {
  if (instruction.getType()->isVectorTy()) return false;
  if (llvm::isa<llvm::CastInst, llvm::ICmpInst, llvm::GetElementPtrInst>(instruction)) return true;
  return llvm::isa<llvm::BinaryOperator>(instruction) && instruction.getType()->isIntegerTy() &&
         !instruction.isIntDivRem();
}

/// True if both are the same computation. `operands` gets the instructions whose results it takes.
bool isEqual(const llvm::Value& one, const llvm::Value& other, Operands& operands, unsigned depth = 0) {
  const auto* const first = llvm::dyn_cast<llvm::Instruction>(&one);
  if (&one == &other) {
    if (first) operands.insert(first);
    return true;
  }
  const auto* const second = llvm::dyn_cast<llvm::Instruction>(&other);
  if (!first || !second || depth == deepest || !isCheap(*first) || !first->isSameOperationAs(second)) return false;
  for (unsigned n = 0; n != first->getNumOperands(); ++n)
    if (!isEqual(*first->getOperand(n), *second->getOperand(n), operands, depth + 1)) return false;
  return true;
}

/// Makes at `place` what all of `equal` compute, with the flags that all have.
llvm::Value* computed(llvm::ArrayRef<llvm::Value*> equal, llvm::BasicBlock::iterator place) {
  if (llvm::all_equal(equal)) return equal.front();
  auto* const first = llvm::cast<llvm::Instruction>(equal.front());
  llvm::Instruction* const made = first->clone();
  made->dropUBImplyingAttrsAndMetadata();
  for (const llvm::Value* other : equal.drop_front()) made->andIRFlags(other);
  for (unsigned n = 0; n != first->getNumOperands(); ++n) {
    llvm::SmallVector<llvm::Value*, 4> operands;
    for (const llvm::Value* one : equal) operands.push_back(llvm::cast<llvm::Instruction>(one)->getOperand(n));
    made->setOperand(n, computed(operands, place));
  }
  made->insertBefore(place);
  made->setDebugLoc(llvm::DebugLoc::getCompilerGenerated());
  return made;
}

class EqualPhis {
 public:
  EqualPhis(const llvm::DominatorTree& dominators, const llvm::LoopInfo& loops)
      : dominators_(dominators), loops_(loops) {}

  bool replace(llvm::PHINode& phi) const {
    if (!isEqualEverywhere(phi)) return false;
    llvm::BasicBlock& home = *phi.getParent();
    const llvm::BasicBlock::iterator start = home.getFirstInsertionPt();
    if (start == home.end()) return false;
    const llvm::SmallVector<llvm::Value*, 4> equal(phi.incoming_values());
    for (const auto& [block, uses] : placesFor(phi)) {
      llvm::BasicBlock::iterator place = block == &home ? start : block->getTerminator()->getIterator();
      for (const llvm::Use* use : uses) {
        auto* const user = llvm::cast<llvm::Instruction>(use->getUser());
        if (block != &home && user->getParent() == block && !llvm::isa<llvm::PHINode>(user) &&
            user->comesBefore(&*place))
          place = user->getIterator();
      }
      llvm::Value* const made = computed(equal, place);
      for (llvm::Use* use : uses) use->set(made);
    }
    llvm::SmallVector<llvm::WeakTrackingVH, 4> dead(equal.begin(), equal.end());
    phi.eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
    return true;
  }

 private:
  using Places = llvm::MapVector<llvm::BasicBlock*, llvm::SmallVector<llvm::Use*, 2>>;

  bool isEqualEverywhere(llvm::PHINode& phi) const {
    if (phi.getNumIncomingValues() < 2 || phi.use_empty() || phi.hasConstantValue()) return false;
    const auto* const first = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValue(0));
    if (!first || first == &phi || !isCheap(*first)) return false;
    Operands operands;
    return llvm::all_of(llvm::drop_begin(phi.incoming_values()),
                        [&](const llvm::Use& other) { return isEqual(*first, *other, operands); }) &&
           llvm::all_of(operands,
                        [&](const llvm::Instruction* operand) { return dominators_.dominates(operand, &phi); });
  }

  /// The blocks that compute the value, with the uses of each: those that use it, unless they are in a loop that the
  /// phi is not in.
  Places placesFor(llvm::PHINode& phi) const {
    llvm::BasicBlock* const home = phi.getParent();
    Places places;
    for (llvm::Use& use : phi.uses()) {
      auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
      const auto* const other = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::BasicBlock* const block = other ? other->getIncomingBlock(use) : user->getParent();
      const bool isWithin =
          dominators_.isReachableFromEntry(block) && loops_.getLoopDepth(block) <= loops_.getLoopDepth(home);
      places[isWithin ? block : home].push_back(&use);
    }
    if (places.size() <= mostPlaces && !places.contains(home)) return places;
    Places one;
    for (const auto& [block, uses] : places) one[home].append(uses.begin(), uses.end());
    return one;
  }

  const llvm::DominatorTree& dominators_;
  const llvm::LoopInfo& loops_;
};

}  // namespace

llvm::PreservedAnalyses ComputeEqualPhis::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const EqualPhis phis(analyses.getResult<llvm::DominatorTreeAnalysis>(function),
                       analyses.getResult<llvm::LoopAnalysis>(function));
  bool changed = false;
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  for (llvm::BasicBlock* const block : order) {
    // What one of them was made of may be another.
    llvm::SmallVector<llvm::WeakVH> all;
    for (llvm::PHINode& phi : block->phis()) all.emplace_back(&phi);
    for (const llvm::WeakVH& phi : all)
      if (phi) changed |= phis.replace(*llvm::cast<llvm::PHINode>(static_cast<llvm::Value*>(phi)));
  }
  return changed ? llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
