// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that only choose.
#include "core/lower/passes/choices/exchanges.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace lathe::detail {
namespace {

/// Values that one condition may choose at once: as many as two keys of two words and values of two.
constexpr std::size_t mostChoices = 8;
constexpr std::uint64_t widestChoice = 128;

/// Where `first`, if it does nothing and is entered from `block` alone, leads; else `first` itself.
llvm::BasicBlock* endOf(llvm::BasicBlock& first, const llvm::BasicBlock& block) {
  const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(&*first.getFirstNonPHIOrDbg());
  const bool isEmpty = branch && branch->isUnconditional() && !branch->hasMetadata(llvm::LLVMContext::MD_loop) &&
                       first.phis().empty() && first.getSinglePredecessor() == &block;
  return isEmpty ? branch->getSuccessor(0) : &first;
}

/// Where the two ways of a condition at the end of `block` meet, if nothing is done on them; else null.
llvm::BasicBlock* meetingOf(llvm::BasicBlock& one, llvm::BasicBlock& other, const llvm::BasicBlock& block) {
  llvm::BasicBlock *const end = endOf(one, block), *const otherEnd = endOf(other, block);
  if (end == &other || (end == otherEnd && end != &one)) return end;
  return otherEnd == &one ? &one : nullptr;
}

bool canBeChosen(const llvm::PHINode& phi) {
  llvm::Type* const type = phi.getType();
  return type->isSingleValueType() && phi.getDataLayout().getTypeSizeInBits(type) <= widestChoice;
}

/// True if the phis of `end` have the same values from the one way as from the other, and each in another place.
bool exchanges(const llvm::BasicBlock& end, const llvm::BasicBlock& one, const llvm::BasicBlock& other) {
  llvm::SmallVector<const llvm::Value*, mostChoices> from[2];
  for (const llvm::PHINode& phi : end.phis()) {
    const llvm::Value* const values[] = {phi.getIncomingValueForBlock(&one), phi.getIncomingValueForBlock(&other)};
    if (values[0] == values[1]) continue;
    from[0].push_back(values[0]);
    from[1].push_back(values[1]);
  }
  return from[0].size() <= mostChoices && std::ranges::is_permutation(from[0], from[1]);
}

/// Adds the blocks that nothing leads to any more to `dead`.
bool choose(llvm::BasicBlock& block, llvm::SmallVectorImpl<llvm::BasicBlock*>& dead) {
  auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional() || branch->hasMetadata(llvm::LLVMContext::MD_loop)) return false;
  llvm::BasicBlock *const one = branch->getSuccessor(0), *const other = branch->getSuccessor(1);
  llvm::BasicBlock* const end = one == other ? nullptr : meetingOf(*one, *other, block);
  if (!end || end == &block) return false;
  llvm::BasicBlock *const fromOne = one == end ? &block : one, *const fromOther = other == end ? &block : other;
  const auto phis = end->phis();
  if (!exchanges(*end, *fromOne, *fromOther) || !llvm::all_of(phis, canBeChosen)) return false;
  llvm::IRBuilder<> builder(branch);
  for (llvm::PHINode& phi : phis) {
    llvm::Value* const taken = phi.getIncomingValueForBlock(fromOne);
    llvm::Value* const left = phi.getIncomingValueForBlock(fromOther);
    llvm::Value* const chosen = taken == left ? taken : builder.CreateSelect(branch->getCondition(), taken, left);
    phi.removeIncomingValue(fromOne, /*DeletePHIIfEmpty=*/false);
    phi.removeIncomingValue(fromOther, /*DeletePHIIfEmpty=*/false);
    phi.addIncoming(chosen, &block);
  }
  builder.CreateBr(end);
  branch->eraseFromParent();
  for (llvm::BasicBlock* const way : {fromOne, fromOther})
    if (way != &block) dead.push_back(way);
  return true;
}

}  // namespace

llvm::PreservedAnalyses Exchanges::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::BasicBlock*> dead;
  bool changed = false;
  for (llvm::BasicBlock& block : function) changed |= choose(block, dead);
  for (llvm::BasicBlock* const block : dead) block->eraseFromParent();
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
