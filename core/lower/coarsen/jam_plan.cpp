// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a kernel depends on the group, and whether several groups can be jammed into one.
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include "core/lower/coarsen/jam.h"

namespace lathe::detail {
namespace {

/// Whether a call depends on its operands alone. Assembly that names a register may read where it runs.
bool isArithmetic(const llvm::CallInst& call) {
  if (call.isConvergent() || !call.doesNotAccessMemory() || call.arg_empty()) return false;
  if (const auto* const text = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return !text->hasSideEffects() && !llvm::StringRef(text->getAsmString()).contains('%');
  return llvm::isa<llvm::IntrinsicInst>(call);
}

/// Whether items of a subgroup give each other values by a call.
bool isExchange(const llvm::CallInst& call) {
  return llvm::isa<llvm::IntrinsicInst>(call) && call.isConvergent() && !call.arg_empty() &&
         (call.doesNotAccessMemory() || call.onlyAccessesInaccessibleMemory());
}

bool isDoneTogether(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->isConvergent();
}

/// Whether `block` does nothing but return.
bool leaves(const llvm::BasicBlock* block) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 4> seen;
  while (seen.insert(block).second && block->size() == 1) {
    if (llvm::isa<llvm::ReturnInst>(block->front())) return true;
    block = block->getSingleSuccessor();
    if (!block) return false;
  }
  return false;
}

}  // namespace

bool canJam(const llvm::Function& kernel, const JamVocabulary& vocabulary) {
  return llvm::all_of(llvm::instructions(kernel), [&](const llvm::Instruction& instruction) {
    if (instruction.isVolatile() || llvm::isa<llvm::AllocaInst>(instruction)) return false;
    if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
      return llvm::isa<llvm::AssumeInst>(call) || vocabulary.positions.contains(call->getCalledFunction()) ||
             vocabulary.barriers.contains(call->getCalledFunction()) || isArithmetic(*call) || isExchange(*call);
    }
    if (instruction.isTerminator()) return llvm::isa<llvm::BranchInst, llvm::SwitchInst, llvm::ReturnInst>(instruction);
    if (!instruction.isAtomic()) return true;
    if (const auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      return update->getPointerAddressSpace() == vocabulary.groupSpace ||
             (update->use_empty() && update->getOrdering() == llvm::AtomicOrdering::Monotonic);
    }
    const auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
    return exchange && exchange->getPointerAddressSpace() == vocabulary.groupSpace;
  });
}

llvm::SmallSetVector<llvm::GlobalVariable*, 4> groupVariablesOf(const llvm::Function& kernel, unsigned groupSpace) {
  llvm::SmallSetVector<llvm::GlobalVariable*, 4> out;
  for (const llvm::Instruction& instruction : llvm::instructions(kernel)) {
    for (const llvm::Use& operand : instruction.operands()) {
      auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(operand.get());
      if (variable && variable->getAddressSpace() == groupSpace) out.insert(variable);
    }
  }
  return out;
}

/// Analyses of the control flow, and the blocks behind a store.
class JamPlan::Control {
 public:
  Control(llvm::Function& kernel, llvm::UniformityInfo& uniformity)
      : uniformity_(uniformity), dominators_(kernel), loops_(dominators_), ends_(kernel), order_(&kernel) {
    for (llvm::BasicBlock* block : order_) {
      together_ |= llvm::any_of(*block, isDoneTogether);
      const bool stores = llvm::any_of(*block, [](const llvm::Instruction& i) { return i.mayWriteToMemory(); });
      if (stores) addBehind(*block);
    }
  }
  [[nodiscard]] const llvm::ReversePostOrderTraversal<llvm::Function*>& order() const { return order_; }
  [[nodiscard]] bool isInLoop(const llvm::BasicBlock& block) const { return loops_.getLoopFor(&block) != nullptr; }
  [[nodiscard]] bool isBehindStore(const llvm::BasicBlock& block) const { return behindStores_.contains(&block); }
  /// Whether items do anything together in the kernel.
  [[nodiscard]] bool hasTogether() const { return together_; }
  /// Whether items of one group may take different ways from the end of `block`.
  [[nodiscard]] bool diverges(const llvm::BasicBlock& block) const { return uniformity_.hasDivergentTerminator(block); }
  /// The block that all ways from `block` meet in; null if there is none.
  [[nodiscard]] llvm::BasicBlock* exitOf(llvm::BasicBlock& block) const {
    const auto* const node = ends_.getNode(&block);
    return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  }

  /// The blocks between the end of `head` and `exit`.
  [[nodiscard]] static llvm::SmallSetVector<llvm::BasicBlock*, 8> between(llvm::BasicBlock& head,
                                                                          const llvm::BasicBlock* exit) {
    llvm::SmallSetVector<llvm::BasicBlock*, 8> out;
    llvm::SmallVector<llvm::BasicBlock*> open(llvm::successors(&head));
    while (!open.empty()) {
      llvm::BasicBlock* const block = open.pop_back_val();
      if (block != exit && out.insert(block)) open.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
    return out;
  }

 private:
  void addBehind(const llvm::BasicBlock& block) {
    llvm::SmallVector<const llvm::BasicBlock*> open = {&block};
    while (!open.empty()) {
      const llvm::BasicBlock* const next = open.pop_back_val();
      if (behindStores_.insert(next).second) open.append(llvm::succ_begin(next), llvm::succ_end(next));
    }
  }

  llvm::UniformityInfo& uniformity_;
  bool together_ = false;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::PostDominatorTree ends_;
  llvm::ReversePostOrderTraversal<llvm::Function*> order_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> behindStores_;
};

namespace {

/// Whether a condition depends on the data, which differ from item to item, and not just on the item's position.
bool dependsOnData(const llvm::Value& condition) {
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  llvm::SmallVector<const llvm::Value*> open = {&condition};
  while (!open.empty()) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
    if (!instruction || !seen.insert(instruction).second) continue;
    if (llvm::isa<llvm::LoadInst, llvm::PHINode>(instruction)) return true;
    open.append(instruction->value_op_begin(), instruction->value_op_end());
  }
  return false;
}

const llvm::Value* conditionOf(const llvm::BasicBlock& block) {
  const llvm::Instruction* const end = block.getTerminator();
  if (const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(end))
    return branch->isConditional() ? branch->getCondition() : nullptr;
  const auto* const choice = llvm::dyn_cast<llvm::SwitchInst>(end);
  return choice ? choice->getCondition() : nullptr;
}

}  // namespace

JamPlan::JamPlan(llvm::Function& kernel, const JamVocabulary& vocabulary, llvm::FunctionAnalysisManager& analyses)
    : vocabulary_(vocabulary) {
  addOwn(kernel);
  Control control(kernel, analyses.getResult<llvm::UniformityInfoAnalysis>(kernel));
  // Items that take the groups one by one must all come to each barrier, and leave a group together.
  const auto hasBarrier = [&](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [&](const llvm::Instruction& instruction) {
      const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      return call && vocabulary.barriers.contains(call->getCalledFunction());
    });
  };
  for (llvm::BasicBlock* block : control.order())
    possible_ = possible_ && !(control.diverges(*block) &&
                               llvm::any_of(Control::between(*block, control.exitOf(*block)), hasBarrier));
  do spread();
  while (possible_ && addControl(control));
}

/// Starts with what differs between groups by itself: positions, a group's variables, and operations on memory that
/// each group does.
void JamPlan::addOwn(const llvm::Function& kernel) {
  bool asks = false, hasVariables = false, hasGroupBarrier = false;
  for (const llvm::Instruction& instruction : llvm::instructions(kernel)) {
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const bool isPosition = call && call->getCalledFunction() == vocabulary_.groupId;
    const bool isOwn = llvm::any_of(instruction.operand_values(), [&](const llvm::Value* operand) {
      const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(operand);
      return variable && variable->getAddressSpace() == vocabulary_.groupSpace;
    });
    asks |= isPosition;
    hasVariables |= isOwn;
    hasGroupBarrier |= call && call->getCalledFunction() == vocabulary_.groupBarrier;
    if (isPosition || isOwn || llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) add(instruction);
  }
  // Between groups that take turns there is a barrier.
  possible_ = asks && (!hasVariables || hasGroupBarrier);
}

void JamPlan::add(const llvm::Instruction& instruction) {
  if (varying_.insert(&instruction).second) unspread_.push_back(&instruction);
}

bool JamPlan::isApart(const llvm::BasicBlock& block) const {
  return llvm::any_of(regions_, [&](const auto& region) {
    return region.second.blocks.contains(const_cast<llvm::BasicBlock*>(&block));
  });
}

/// What is computed from varying values varies.
void JamPlan::spread() {
  while (!unspread_.empty()) {
    for (const llvm::User* user : unspread_.pop_back_val()->users())
      if (varying_.insert(user).second) unspread_.push_back(user);
  }
}

/// Adds the guards and regions of varying branches; whether there were new ones.
bool JamPlan::addControl(Control& control) {
  for (llvm::BasicBlock* block : control.order()) {
    const llvm::Value* const condition = conditionOf(*block);
    if (!condition || !varies(*condition) || isApart(*block) || regions_.contains(block) || guards_.contains(block))
      continue;
    const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    const bool mayGuard = !control.hasTogether() || !control.diverges(*block);
    if (branch && mayGuard && !control.isInLoop(*block) && !control.isBehindStore(*block) &&
        !dependsOnData(*condition)) {
      const bool first = leaves(branch->getSuccessor(0)), second = leaves(branch->getSuccessor(1));
      if (first != second) {
        guards_.insert({block, first ? 1 : 0});
        continue;
      }
    }
    return addRegion(*block, control);
  }
  return false;
}

/// Groups take different ways from the end of `head` on: what lies between there and where the ways meet again is run
/// for each by itself.
bool JamPlan::addRegion(llvm::BasicBlock& head, Control& control) {
  ApartRegion region{&head, control.exitOf(head), {}};
  possible_ = false;  // yet: it is a loop that groups leave at different times
  if (!region.exit) return false;
  region.blocks = Control::between(head, region.exit);
  if (region.blocks.contains(&head)) return false;
  for (llvm::BasicBlock* block : region.blocks) {
    for (llvm::BasicBlock* before : llvm::predecessors(block))
      if (before != &head && !region.blocks.contains(before)) return false;
    if (llvm::any_of(*block, isDoneTogether)) return false;
  }
  possible_ = true;
  regions_.remove_if([&](const auto& other) { return region.blocks.contains(other.first); });
  guards_.remove_if([&](const auto& guard) { return region.blocks.contains(guard.first); });
  for (const llvm::BasicBlock* block : region.blocks)
    for (const llvm::Instruction& instruction : *block) add(instruction);
  for (const llvm::PHINode& merged : region.exit->phis()) add(merged);
  regions_.insert({&head, std::move(region)});
  return true;
}

}  // namespace lathe::detail
