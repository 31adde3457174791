// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One number and a constant that control flow chooses.
#include "core/lower/passes/choices/sums_of_choices.h"

#include <optional>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace lathe::detail {
namespace {

/// Sums behind which a phi is worth a sum more. Of few, each adds to the value's register in its branch, for nothing.
constexpr unsigned fewest = 8;

/// The sums that a phi chooses from, by what they have in common.
struct Sums {
  llvm::Value* value;  // what is added to
  llvm::SmallVector<llvm::BinaryOperator*> sums;
};

/// True for the sum that a branch of a ladder consists of. Behind a switch, the branch is reached by a jump of its own.
bool isSum(const llvm::BinaryOperator& operation, const llvm::BasicBlock& block) {
  const llvm::BasicBlock* const before = block.getSinglePredecessor();
  if (!before || !llvm::isa<llvm::BranchInst>(before->getTerminator()) || block.sizeWithoutDebug() != 2) return false;
  switch (operation.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      return llvm::isa<llvm::ConstantInt>(operation.getOperand(1)) && operation.getParent() == &block;
    default:
      return false;
  }
}

/// What `choice` chooses from, if each is a sum of one value and a constant, or the value, and the value is
/// computed before the branches.
std::optional<Sums> sumsOf(const llvm::PHINode& choice, const llvm::DominatorTree& dominators) {
  Sums out{};
  for (const auto& [incoming, block] : llvm::zip_equal(choice.incoming_values(), choice.blocks())) {
    auto* const sum = llvm::dyn_cast<llvm::BinaryOperator>(incoming.get());
    if (!sum || !isSum(*sum, *block) || !sum->hasOneUse()) continue;
    if (!out.sums.empty() && (sum->getOpcode() != out.sums.front()->getOpcode() || sum->getOperand(0) != out.value))
      return std::nullopt;
    out.value = sum->getOperand(0);
    out.sums.push_back(sum);
  }
  if (out.sums.size() == choice.getNumIncomingValues() || out.sums.size() < fewest || out.value == &choice)
    return std::nullopt;
  for (const llvm::Use& incoming : choice.incoming_values())
    if (incoming.get() != out.value && !llvm::is_contained(out.sums, incoming.get())) return std::nullopt;
  const auto* const made = llvm::dyn_cast<llvm::Instruction>(out.value);
  if (made && !dominators.dominates(made, choice.getParent())) return std::nullopt;
  return out;
}

void addChosen(llvm::PHINode& choice, const Sums& sums) {
  llvm::BinaryOperator* const sum = llvm::cast<llvm::BinaryOperator>(sums.sums.front()->clone());
  for (const llvm::BinaryOperator* other : sums.sums) sum->andIRFlags(other);
  llvm::Constant* const none = llvm::ConstantExpr::getBinOpIdentity(sum->getOpcode(), choice.getType());
  llvm::PHINode* const constant =
      llvm::PHINode::Create(choice.getType(), choice.getNumIncomingValues(), "", choice.getIterator());
  for (const auto& [incoming, block] : llvm::zip_equal(choice.incoming_values(), choice.blocks())) {
    const auto* const own = llvm::dyn_cast<llvm::BinaryOperator>(incoming.get());
    constant->addIncoming(incoming.get() == sums.value ? none : own->getOperand(1), block);
  }
  sum->setOperand(1, constant);
  sum->insertBefore(choice.getParent()->getFirstInsertionPt());
  sum->takeName(&choice);
  choice.replaceAllUsesWith(sum);
  choice.eraseFromParent();
  for (llvm::BinaryOperator* const other : sums.sums) other->eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses SumsOfChoices::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const llvm::DominatorTree* dominators = nullptr;
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    if (!block.hasNPredecessorsOrMore(fewest + 1)) continue;
    for (llvm::PHINode& choice : llvm::make_early_inc_range(block.phis())) {
      if (!choice.getType()->isIntegerTy()) continue;
      if (!dominators) dominators = &analyses.getResult<llvm::DominatorTreeAnalysis>(function);
      const auto sums = sumsOf(choice, *dominators);
      if (!sums) continue;
      addChosen(choice, *sums);
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
