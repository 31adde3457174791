// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several groups of a kernel in one.
#include "core/lower/coarsen/jam.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include "core/lower/calls.h"
#include "core/lower/passes/loops/loop_properties.h"

namespace lathe::detail {
namespace {

const auto remapFlags = llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals;

class Jam {
 public:
  Jam(llvm::Function& kernel, const JamPlan& plan, unsigned groups, const JamVocabulary& vocabulary)
      : kernel_(kernel),
        plan_(plan),
        groups_(groups),
        vocabulary_(vocabulary),
        groupId_(*vocabulary.groupId),
        copies_(groups) {}

  void run() {
    llvm::BasicBlock& body = kernel_.getEntryBlock();
    // By their present blocks: what follows adds some.
    llvm::SmallVector<llvm::BasicBlock*> blocks;
    for (llvm::BasicBlock& block : kernel_) blocks.push_back(&block);
    cloneAll(blocks);
    enter(body);
    copyVariables();
    llvm::SmallVector<llvm::CallInst*> ids;
    forEachCall(groupId_, [&](llvm::CallInst& call) {
      if (call.getFunction() != &kernel_ || oneByOne_.contains(call.getParent()) || call.getParent() == entry_) return;
      for (unsigned g = 0; g < groups_; ++g) copies_[g][&call] = positions_[g];
      ids.push_back(&call);
    });
    separateExits();
    for (llvm::BasicBlock* block : blocks)
      if (!plan_.isApart(*block)) cloneVarying(*block);
    for (const auto& [head, region] : plan_.regions()) cloneRegion(region);
    for (const auto& [clone, group] : clones_) llvm::RemapInstruction(clone, copies_[group], remapFlags);
    for (const auto& [head, region] : plan_.regions()) chain(region);
    for (const auto& [block, inside] : plan_.guards()) guard(*block, inside);
    for (const auto& [head, phis] : merged_) {
      for (const auto& [merged, owns] : phis) {
        merged->replaceAllUsesWith(owns.front());
        merged->eraseFromParent();
      }
    }
    for (llvm::CallInst* id : ids) {
      id->replaceAllUsesWith(positions_[0]);
      id->eraseFromParent();
    }
  }

 private:
  using Map = llvm::ValueToValueMapTy;

  /// The loop over groups one by one, for launches and items that do not fill all copies.
  void cloneAll(llvm::ArrayRef<llvm::BasicBlock*> blocks) {
    llvm::LLVMContext& context = kernel_.getContext();
    loop_ = llvm::BasicBlock::Create(context, "group", &kernel_);
    auto* const next = llvm::BasicBlock::Create(context, "next_group", &kernel_);
    auto* const done = llvm::BasicBlock::Create(context, "groups_done", &kernel_);
    Map map;
    llvm::SmallVector<llvm::BasicBlock*> made;
    for (llvm::BasicBlock* block : blocks) {
      llvm::BasicBlock* const copy = llvm::CloneBasicBlock(block, map, ".one", &kernel_);
      map[block] = copy;
      made.push_back(copy);
      oneByOne_.insert(copy);
    }
    llvm::remapInstructionsInBlocks(made, map);

    llvm::Type* const number = groupId_.getReturnType();
    llvm::IRBuilder<> builder(loop_);
    llvm::PHINode* const position = builder.CreatePHI(number, 2, "group.id");
    next_ = position;
    end_ = builder.CreatePHI(number, 2, "groups.end");
    builder.CreateCondBr(builder.CreateICmpULT(position, end_), made.front(), done);
    builder.SetInsertPoint(next);
    if (const llvm::CallInst* const barrier = aBarrier()) builder.Insert(barrier->clone());
    position->addIncoming(builder.CreateNUWAdd(position, llvm::ConstantInt::get(number, 1)), next);
    end_->addIncoming(end_, next);
    llvm::BranchInst* const again = builder.CreateBr(loop_);
    again->setMetadata(llvm::LLVMContext::MD_loop,
                       loopOf(context, {loopProperty(context, "llvm.loop.unroll.disable")}));
    llvm::ReturnInst::Create(context, done);
    for (llvm::BasicBlock* block : made) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
        auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (call && call->getCalledFunction() == &groupId_) {
          call->replaceAllUsesWith(position);
          call->eraseFromParent();
        }
      }
      if (!llvm::isa<llvm::ReturnInst>(block->getTerminator())) continue;
      block->getTerminator()->eraseFromParent();
      llvm::BranchInst::Create(next, block);
    }
  }

  /// Gives each group but the first variables of its own.
  void copyVariables() {
    for (llvm::GlobalVariable* variable : groupVariablesOf(kernel_, vocabulary_.groupSpace)) {
      for (unsigned g = 1; g < groups_; ++g) {
        auto* const own = new llvm::GlobalVariable(
            *kernel_.getParent(), variable->getValueType(), variable->isConstant(), llvm::GlobalValue::InternalLinkage,
            variable->hasInitializer() ? variable->getInitializer() : nullptr,
            variable->getName() + "." + kernel_.getName() + "." + llvm::Twine(g), variable,
            variable->getThreadLocalMode(), variable->getAddressSpace());
        own->copyAttributesFrom(variable);
        copies_[g][variable] = own;
      }
    }
  }

  /// A barrier of the group, as the kernel has them; null if it has none.
  llvm::CallInst* aBarrier() const {
    if (!vocabulary_.groupBarrier) return nullptr;
    for (llvm::User* user : vocabulary_.groupBarrier->users()) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call && call->getFunction() == &kernel_) return call;
    }
    return nullptr;
  }

  /// The new entry: positions of the groups, and the way to take.
  void enter(llvm::BasicBlock& body) {
    entry_ = llvm::BasicBlock::Create(kernel_.getContext(), "groups", &kernel_, &body);
    llvm::IRBuilder<> builder(entry_);
    llvm::Type* const number = groupId_.getReturnType();
    llvm::Value* const all = (kernel_.arg_end() - 1);
    llvm::Value* const first =
        builder.CreateNUWMul(builder.CreateCall(&groupId_), llvm::ConstantInt::get(number, groups_), "group.first");
    for (unsigned g = 0; g < groups_; ++g)
      positions_.push_back(g == 0 ? first : builder.CreateNUWAdd(first, llvm::ConstantInt::get(number, g)));
    llvm::Value* const behind = builder.CreateNUWAdd(first, llvm::ConstantInt::get(number, groups_));
    llvm::Value* const end = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, behind, all);
    builder.CreateCondBr(builder.CreateICmpULE(behind, all), &body, loop_);
    lastEnd_ = end;
    next_->addIncoming(first, entry_);
    end_->addIncoming(end, entry_);
  }

  /// Gives each region an exit that only it leads to, which is no region's head.
  void separateExits() {
    for (const auto& [head, region] : plan_.regions()) {
      llvm::SmallVector<llvm::BasicBlock*> own;
      for (llvm::BasicBlock* before : llvm::predecessors(region.exit))
        if (before == head || region.blocks.contains(before)) own.push_back(before);
      llvm::BasicBlock* const exit = llvm::SplitBlockPredecessors(region.exit, own, ".merged");
      exits_[head] = exit;
      for (const llvm::PHINode& phi : exit->phis()) ofExits_.insert(&phi);
    }
  }

  /// Copies of the instructions of a block that differ from group to group, each behind the first group's.
  void cloneVarying(llvm::BasicBlock& block) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      if (instruction.isTerminator() || !plan_.varies(instruction) || copies_[0].count(&instruction) ||
          ofExits_.contains(&instruction))
        continue;
      llvm::Instruction* last = &instruction;
      for (unsigned g = 1; g < groups_; ++g) {
        llvm::Instruction* const clone = instruction.clone();
        clone->insertAfter(last);
        if (instruction.hasName()) clone->setName(instruction.getName());
        copies_[g][&instruction] = clone;
        clones_.emplace_back(clone, g);
        last = clone;
      }
    }
  }

  void cloneRegion(const ApartRegion& region) {
    llvm::BasicBlock* const exit = exits_.lookup(region.head);
    for (unsigned g = 1; g < groups_; ++g) {
      auto* const join = llvm::BasicBlock::Create(kernel_.getContext(), "apart", &kernel_, exit);
      joins_[region.head].push_back(join);
      copies_[g][region.head] = join;
      for (llvm::BasicBlock* block : region.blocks) {
        llvm::BasicBlock* const copy = llvm::CloneBasicBlock(block, copies_[g], "", &kernel_);
        copy->moveBefore(exit);
        copies_[g][block] = copy;
        for (llvm::Instruction& instruction : *copy) clones_.emplace_back(&instruction, g);
      }
      llvm::Instruction* const choice = region.head->getTerminator()->clone();
      choice->insertInto(join, join->end());
      clones_.emplace_back(choice, g);
    }
    for (llvm::PHINode& phi : exit->phis()) merged_[region.head].push_back({&phi, {}});
    for (auto& [merged, owns] : merged_[region.head]) {
      for (unsigned g = 0; g < groups_; ++g) {
        auto* const own = llvm::PHINode::Create(merged->getType(), merged->getNumIncomingValues(), merged->getName());
        own->insertBefore(g + 1 < groups_ ? joins_[region.head][g]->begin() : merged->getIterator());
        owns.push_back(own);
        if (g > 0) copies_[g][merged] = own;
      }
    }
  }

  /// What stands for a value or block of the first group in another.
  llvm::Value* mapped(llvm::Value* value, unsigned group) const {
    llvm::Value* const other = group == 0 ? nullptr : static_cast<llvm::Value*>(copies_[group].lookup(value));
    return other ? other : value;
  }

  /// Leads each group's copy of a region to the next group's, with what it computed.
  void chain(const ApartRegion& region) {
    llvm::BasicBlock* const exit = exits_.lookup(region.head);
    const auto& joins = joins_[region.head];
    for (const auto& [merged, owns] : merged_[region.head]) {
      for (unsigned g = 0; g < groups_; ++g) {
        for (unsigned i = 0; i < merged->getNumIncomingValues(); ++i)
          owns[g]->addIncoming(mapped(merged->getIncomingValue(i), g),
                               llvm::cast<llvm::BasicBlock>(mapped(merged->getIncomingBlock(i), g)));
      }
    }
    const auto redirect = [&](llvm::BasicBlock& block, unsigned g) {
      if (g + 1 < groups_) block.getTerminator()->replaceSuccessorWith(exit, joins[g]);
    };
    redirect(*region.head, 0);
    for (llvm::BasicBlock* block : region.blocks) {
      redirect(*block, 0);
      for (unsigned g = 1; g < groups_; ++g) redirect(*llvm::cast<llvm::BasicBlock>(mapped(block, g)), g);
    }
    for (unsigned g = 1; g < groups_; ++g) redirect(*joins[g - 1], g);
  }

  /// Items stay in the jammed code if the items of all groups do; else they take groups one by one, from the start.
  void guard(llvm::BasicBlock& block, unsigned inside) {
    auto* const branch = llvm::cast<llvm::BranchInst>(block.getTerminator());
    llvm::IRBuilder<> builder(branch);
    llvm::Value* all = nullptr;
    for (unsigned g = 0; g < groups_; ++g) {
      llvm::Value* own = mapped(branch->getCondition(), g);
      if (inside == 1) own = builder.CreateNot(own);
      all = all ? builder.CreateAnd(all, own) : own;
    }
    llvm::BasicBlock* const stay = branch->getSuccessor(inside);
    branch->getSuccessor(1 - inside)->removePredecessor(&block);
    builder.CreateCondBr(all, stay, loop_);
    branch->eraseFromParent();
    next_->addIncoming(positions_[0], &block);
    end_->addIncoming(lastEnd_, &block);
  }

  llvm::Function& kernel_;
  const JamPlan& plan_;
  unsigned groups_;
  const JamVocabulary& vocabulary_;
  llvm::Function& groupId_;
  std::vector<Map> copies_;  ///< by group: values and blocks of the first → those of this one
  llvm::SmallVector<std::pair<llvm::Instruction*, unsigned>> clones_;
  llvm::SmallVector<llvm::Value*> positions_;  ///< of the groups, by their number
  llvm::BasicBlock* entry_ = nullptr;
  llvm::BasicBlock* loop_ = nullptr;                ///< the head of the loop over groups one by one
  llvm::PHINode *next_ = nullptr, *end_ = nullptr;  ///< there: the group's position, and where to stop
  llvm::Value* lastEnd_ = nullptr;                  ///< of that, before the loop
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> oneByOne_;
  // By a region's head: the block behind it that only it leads to; where the second and later groups begin; what it
  // computed, with a value for each group.
  llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> exits_;
  llvm::DenseMap<llvm::BasicBlock*, llvm::SmallVector<llvm::BasicBlock*, 4>> joins_;
  llvm::DenseMap<llvm::BasicBlock*, std::vector<std::pair<llvm::PHINode*, llvm::SmallVector<llvm::PHINode*, 4>>>>
      merged_;
  llvm::SmallPtrSet<const llvm::Instruction*, 8> ofExits_;
};

}  // namespace

void jam(llvm::Function& kernel, const JamPlan& plan, unsigned groups, const JamVocabulary& vocabulary) {
  if (vocabulary.groupCount) {
    forEachCall(*vocabulary.groupCount, [&](llvm::CallInst& call) {
      if (call.getFunction() == &kernel) replaceCall(call, *(kernel.arg_end() - 1));
    });
  }
  Jam(kernel, plan, groups, vocabulary).run();
}

}  // namespace lathe::detail
