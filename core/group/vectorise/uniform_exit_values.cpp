// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values at the end of a loop over items are followed back to conditions and operands that do not change in it.
#include "core/group/vectorise/uniform_exit_values.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace lathe::detail {
namespace {

/// Choices that are followed back, one behind the other.
constexpr unsigned mostChoices = 4;
/// The same for a value that some items set.
constexpr unsigned mostSet = 16;

class ExitValues {
 public:
  ExitValues(llvm::Loop& loop, llvm::DominatorTree& dominators) : loop_(loop), dominators_(dominators) {}

  /// Whether anything changed.
  bool run() {
    bool changed = false;
    for (llvm::PHINode& phi : llvm::make_early_inc_range(loop_.getLoopLatch()->phis())) {
      if (!usedOutside(phi)) continue;
      llvm::Value* const value = inFront(phi, mostChoices);
      if (value) phi.replaceUsesOutsideBlock(value, loop_.getLoopLatch());
      changed |= value || setBySome(phi);
    }
    return changed;
  }

 private:
  /// Whether what follows the loop, or the next item, reads it.
  bool usedOutside(const llvm::PHINode& phi) const {
    return llvm::any_of(phi.users(), [&](const llvm::User* user) {
      const auto* const instruction = llvm::cast<llvm::Instruction>(user);
      return !loop_.contains(instruction) || instruction->getParent() == loop_.getHeader();
    });
  }

  bool hoist(llvm::Value& value) {
    bool changed = false;
    return loop_.makeLoopInvariant(&value, changed, loop_.getLoopPreheader()->getTerminator());
  }

  /// What `value` is when the loop has ended, computed in front of it; null if that cannot be told.
  llvm::Value* inFront(llvm::Value& value, unsigned choices) {
    if (loop_.isLoopInvariant(&value)) return &value;
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(&value)) return ofPhi(*phi, choices);
    if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(&value)) {
      if (choices == 0) return nullptr;
      return choose(*select->getCondition(), *select->getTrueValue(), *select->getFalseValue(), choices);
    }
    return hoist(value) ? &value : nullptr;
  }

  llvm::Value* ofPhi(llvm::PHINode& phi, unsigned choices) {
    // As the loop finds it: every item makes the same choice, so what one leaves the next one finds and leaves.
    if (phi.getParent() == loop_.getHeader()) return carried(phi);
    if (choices == 0 || phi.getNumIncomingValues() != 2) return nullptr;
    llvm::BasicBlock *const a = phi.getIncomingBlock(0), *const b = phi.getIncomingBlock(1);
    llvm::BasicBlock* const fork = dominators_.findNearestCommonDominator(a, b);
    if (!fork || !loop_.contains(fork)) return nullptr;
    auto* const branch = llvm::dyn_cast<llvm::BranchInst>(fork->getTerminator());
    if (!branch || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return nullptr;
    const auto leads = [&](unsigned side, llvm::BasicBlock* from) {
      const llvm::BasicBlockEdge edge(fork, branch->getSuccessor(side));
      return (from == fork && branch->getSuccessor(side) == phi.getParent()) || dominators_.dominates(edge, from);
    };
    const bool straight = leads(0, a) && leads(1, b);
    if (!straight && !(leads(0, b) && leads(1, a))) return nullptr;
    return choose(*branch->getCondition(), *phi.getIncomingValue(straight ? 0 : 1),
                  *phi.getIncomingValue(straight ? 1 : 0), choices);
  }

  /// The start of a header's phi that the loop's items hand on as it is or replace all alike; null for others.
  llvm::Value* carried(llvm::PHINode& phi) {
    const auto* const next = llvm::dyn_cast<llvm::PHINode>(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
    const bool onlyHandedOn = llvm::all_of(phi.users(), [&](const llvm::User* user) { return user == next; });
    const bool handed = next && next->getParent() == loop_.getLoopLatch() && onlyHandedOn;
    return handed ? phi.getIncomingValueForBlock(loop_.getLoopPreheader()) : nullptr;
  }

  llvm::Value* choose(llvm::Value& condition, llvm::Value& ifTrue, llvm::Value& ifFalse, unsigned choices) {
    if (!hoist(condition)) return nullptr;
    llvm::Value* const a = inFront(ifTrue, choices - 1);
    llvm::Value* const b = a ? inFront(ifFalse, choices - 1) : nullptr;
    if (!b) return nullptr;
    if (a == b) return a;
    return llvm::IRBuilder<>(loop_.getLoopPreheader()->getTerminator()).CreateSelect(&condition, a, b);
  }

  /// Values that the end of the loop chooses among: what it finds, what an item sets, and the choices themselves.
  struct Choice {
    llvm::PHINode* found = nullptr;  ///< the header's
    llvm::Value* set = nullptr;
    llvm::SmallSetVector<llvm::Instruction*, 8> choices;
  };

  /// Whether all that `value` is chosen among is one value of the header and one that no item changes.
  bool readChoice(llvm::Value& value, Choice& out) {
    const bool isChosen = llvm::isa<llvm::PHINode, llvm::SelectInst>(value);
    if (isChosen ? loop_.isLoopInvariant(&value) : hoist(value)) {
      if (!out.set) out.set = &value;
      return out.set == &value;
    }
    auto* const phi = llvm::dyn_cast<llvm::PHINode>(&value);
    if (phi && phi->getParent() == loop_.getHeader()) {
      if (!out.found) out.found = phi;
      return out.found == phi;
    }
    auto* const select = llvm::dyn_cast<llvm::SelectInst>(&value);
    if ((!phi && !select) || out.choices.size() == mostSet) return false;
    if (!out.choices.insert(llvm::cast<llvm::Instruction>(&value))) return true;
    if (select) return readChoice(*select->getTrueValue(), out) && readChoice(*select->getFalseValue(), out);
    return llvm::all_of(phi->incoming_values(), [&](llvm::Value* next) { return readChoice(*next, out); });
  }

  /// Makes a value that some items set, all to the same, one that is chosen behind the loop. False if it is none.
  bool setBySome(llvm::PHINode& phi) {
    llvm::BasicBlock *const latch = loop_.getLoopLatch(), *const exit = loop_.getExitBlock();
    Choice choice;
    if (!exit || exit->getSinglePredecessor() != latch || !readChoice(phi, choice) || !choice.found || !choice.set)
      return false;
    const auto isChoice = [&](const llvm::User* user) {
      return choice.choices.contains(llvm::cast<llvm::Instruction>(const_cast<llvm::User*>(user)));
    };
    if (choice.found->getIncomingValueForBlock(latch) != &phi || !llvm::all_of(choice.found->users(), isChoice))
      return false;
    const auto alike =
        llvm::find_if(counted_, [&](const Counted& other) { return isAlike(phi, choice, *other.phi, other.choice); });
    llvm::Value* const by = alike == counted_.end() ? count(phi, choice) : alike->by;
    if (alike == counted_.end()) counted_.push_back({&phi, choice, by});
    llvm::Value* const start = choice.found->getIncomingValueForBlock(loop_.getLoopPreheader());
    llvm::IRBuilder<> builder(exit, exit->getFirstInsertionPt());
    llvm::Value* const value = builder.CreateSelect(builder.CreateIsNotNull(by), choice.set, start);
    for (llvm::PHINode& handed : llvm::make_early_inc_range(exit->phis())) {
      if (handed.getIncomingValue(0) != &phi) continue;
      handed.replaceAllUsesWith(value);
      handed.eraseFromParent();
    }
    phi.replaceUsesWithIf(
        value, [&](const llvm::Use& use) { return !loop_.contains(llvm::cast<llvm::Instruction>(use.getUser())); });
    return true;
  }

  /// Whether two values are set by the same items.
  static bool isAlike(const llvm::Value& a, const Choice& choice, const llvm::Value& b, const Choice& other) {
    if (&a == choice.set || &b == other.set) return &a == choice.set && &b == other.set;
    if (&a == choice.found || &b == other.found) return &a == choice.found && &b == other.found;
    const auto *const select = llvm::dyn_cast<llvm::SelectInst>(&a), *const twin = llvm::dyn_cast<llvm::SelectInst>(&b);
    if (select && twin) {
      return select->getCondition() == twin->getCondition() &&
             isAlike(*select->getTrueValue(), choice, *twin->getTrueValue(), other) &&
             isAlike(*select->getFalseValue(), choice, *twin->getFalseValue(), other);
    }
    const auto *const phi = llvm::dyn_cast<llvm::PHINode>(&a), *const second = llvm::dyn_cast<llvm::PHINode>(&b);
    if (!phi || !second || phi->getParent() != second->getParent()) return false;
    return llvm::all_of(phi->blocks(), [&](const llvm::BasicBlock* from) {
      return isAlike(*phi->getIncomingValueForBlock(from), choice, *second->getIncomingValueForBlock(from), other);
    });
  }

  /// How many items set the value, known where their loop ends.
  llvm::Value* count(llvm::PHINode& phi, const Choice& choice) {
    llvm::BasicBlock* const latch = loop_.getLoopLatch();
    llvm::Type* const type = llvm::Type::getInt32Ty(phi.getContext());
    llvm::IRBuilder<> builder(choice.found);
    llvm::PHINode* const before = builder.CreatePHI(type, 2, "set.before");
    llvm::DenseMap<llvm::Value*, llvm::Value*> isSet = {{choice.found, llvm::ConstantInt::get(type, 0)},
                                                        {choice.set, llvm::ConstantInt::get(type, 1)}};
    builder.SetInsertPoint(latch, latch->getFirstInsertionPt());
    // A sum, not a conjunction: of what is set once and stays set, InstCombine makes choices again.
    llvm::Value* const by = builder.CreateNUWAdd(before, flagOf(phi, isSet), "set.by");
    before->addIncoming(llvm::ConstantInt::get(type, 0), loop_.getLoopPreheader());
    before->addIncoming(by, latch);
    return by;
  }

  /// 1 where `value` is what the item set.
  llvm::Value* flagOf(llvm::Value& value, llvm::DenseMap<llvm::Value*, llvm::Value*>& isSet) {
    if (const auto known = isSet.find(&value); known != isSet.end()) return known->second;
    llvm::Type* const type = llvm::Type::getInt32Ty(value.getContext());
    llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(&value));
    if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(&value)) {
      llvm::Value* const ifTrue = flagOf(*select->getTrueValue(), isSet);
      llvm::Value* const ifFalse = flagOf(*select->getFalseValue(), isSet);
      return isSet[&value] = builder.CreateSelect(select->getCondition(), ifTrue, ifFalse);
    }
    auto* const phi = llvm::cast<llvm::PHINode>(&value);
    llvm::PHINode* const flag = builder.CreatePHI(type, phi->getNumIncomingValues(), "set");
    isSet[&value] = flag;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      flag->addIncoming(flagOf(*phi->getIncomingValue(i), isSet), phi->getIncomingBlock(i));
    return flag;
  }

  struct Counted {
    llvm::PHINode* phi;
    Choice choice;
    llvm::Value* by;
  };

  llvm::Loop& loop_;
  llvm::DominatorTree& dominators_;
  llvm::SmallVector<Counted, 4> counted_;
};

}  // namespace

llvm::PreservedAnalyses UniformExitValuesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!llvm::findOptionMDForLoop(loop, "llvm.loop.parallel_accesses")) continue;
    if (!loop->getLoopPreheader() || !loop->getLoopLatch() || loop->getExitingBlock() != loop->getLoopLatch()) continue;
    changed |= ExitValues(*loop, dominators).run();
  }
  return changed ? llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
