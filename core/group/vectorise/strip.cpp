// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a loop over items is cut into what lies before the inner loop, its iteration, and what lies behind: parts
// with a loop over lanes each. Values that go from part to part, or from iteration to iteration, are put into slots of
// memory, then into arrays with an element a lane, which each part reads when it begins and writes when it ends: so
// that the stores need no mask and the arrays become registers.
#include "core/group/vectorise/strip.h"

#include <array>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include "core/group/vectorise/outer_loop_choice.h"

namespace lathe::detail {
namespace {

enum Part : unsigned { before, iteration, behind };
constexpr std::array<const char*, 3> names = {"strip.before", "strip.iteration", "strip.behind"};

class Strip {
 public:
  explicit Strip(const OuterLoop& loop)
      : loop_(loop),
        function_(*loop.x->getFunction()),
        context_(function_.getContext()),
        // The loop that is left for the rest gets a second way in.
        entry_(function_.getEntryBlock().getFirstInsertionPt()) {}

  void make() {
    cloneBody();
    findParts();
    makeLanes();
    makeCounters();
    demote();
    connect();
    spreadSlots();
    closeStrip();
    for (llvm::AllocaInst* slot : slots_) slot->eraseFromParent();
    llvm::DominatorTree dominators(function_);
    llvm::PromoteMemToReg(own_, dominators);
  }

 private:
  struct Lanes {
    llvm::BasicBlock *head = nullptr, *end = nullptr, *after = nullptr;
    llvm::PHINode* lane = nullptr;
    llvm::Value *x = nullptr, *next = nullptr;
  };

  llvm::BasicBlock* block(const llvm::Twine& name) { return llvm::BasicBlock::Create(context_, name, &function_); }
  llvm::BasicBlock* clone(const llvm::BasicBlock* original) { return llvm::cast<llvm::BasicBlock>(clones_[original]); }
  llvm::ConstantInt* number(std::uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context_), value);
  }

  void cloneBody() {
    for (llvm::BasicBlock* original : loop_.items->blocks()) {
      blocks_.push_back(llvm::CloneBasicBlock(original, clones_, ".strip", &function_));
      clones_[original] = blocks_.back();
    }
    llvm::remapInstructionsInBlocks(blocks_, clones_);
    for (llvm::BasicBlock* copy : blocks_) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*copy)) {
        instruction.dropDbgRecords();
        if (llvm::isa<llvm::AssumeInst>(instruction)) instruction.eraseFromParent();
      }
      copy->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
    }
    header_ = clone(loop_.items->getHeader());
    iterationHeader_ = clone(loop_.iterations->getHeader());
    latch_ = clone(loop_.items->getLoopLatch());
    // The item ends here.
    llvm::Instruction* const branch = latch_->getTerminator();
    auto* const test = llvm::cast<llvm::Instruction>(llvm::cast<llvm::BranchInst>(branch)->getCondition());
    for (llvm::Instruction* instruction : {branch, test}) instruction->eraseFromParent();
  }

  void findParts() {
    llvm::SmallVector<llvm::BasicBlock*, 8> found;
    for (llvm::BasicBlock* original : loop_.items->blocks()) part_[clone(original)] = before;
    for (llvm::BasicBlock* original : loop_.iterations->blocks()) {
      part_[clone(original)] = iteration;
      found.push_back(clone(original));
    }
    while (!found.empty()) {
      for (llvm::BasicBlock* next : llvm::successors(found.pop_back_val())) {
        if (next == header_ || part_[next] != before) continue;
        part_[next] = behind;
        found.push_back(next);
      }
    }
  }

  /// The loops over lanes, without what joins them to the parts.
  void makeLanes() {
    llvm::BasicBlock* const header = loop_.items->getHeader();
    pre_ = loop_.items->getLoopPreheader();
    strip_ = block("strip");
    done_ = block("strip.done");
    iterationFirst_ = block("strip.iteration.first");
    llvm::Value* const start = loop_.x->getIncomingValueForBlock(pre_);
    llvm::Instruction* const enter = pre_->getTerminator();
    llvm::IRBuilder<> builder(enter);
    llvm::Value* const enough =
        builder.CreateICmpUGE(builder.CreateSub(loop_.end, start), number(loop_.width), "strip.enough");
    builder.CreateCondBr(enough, strip_, header);
    enter->eraseFromParent();

    builder.SetInsertPoint(strip_);
    base_ = builder.CreatePHI(builder.getInt64Ty(), 2, "strip.first");
    base_->addIncoming(start, pre_);
    for (unsigned i = 0; i < lanes_.size(); ++i) {
      Lanes& lanes = lanes_[i];
      const llvm::Twine name(names[i]);
      lanes.head = block(name + ".lane");
      lanes.end = block(name + ".end");
      lanes.after = block(name + ".after");
      builder.SetInsertPoint(lanes.head);
      lanes.lane = builder.CreatePHI(builder.getInt64Ty(), 2, "lane");
      lanes.x = builder.CreateAdd(base_, lanes.lane, "x", true, true);
      lanes.next = builder.CreateAdd(lanes.x, number(1), "x.next", true, true);
    }
    llvm::IRBuilder<>(strip_).CreateBr(lanes_[before].head);
    llvm::IRBuilder<>(iterationFirst_).CreateBr(lanes_[iteration].head);
    lanes_[before].lane->addIncoming(number(0), strip_);
    lanes_[iteration].lane->addIncoming(number(0), iterationFirst_);
    lanes_[behind].lane->addIncoming(number(0), lanes_[iteration].after);
    llvm::Type* const type = llvm::Type::getInt32Ty(context_);
    where_ = new llvm::AllocaInst(type, 0, "strip.where", entry_);
    slots_.push_back(where_);
  }

  /// What counts iterations that all items take, once for the strip.
  void makeCounters() {
    if (!loop_.more) return;
    llvm::IRBuilder<> builder(iterationFirst_->getTerminator());
    const auto count = [&](llvm::Value* start, llvm::Value* step, const llvm::Twine& name) {
      llvm::PHINode* const phi = builder.CreatePHI(start->getType(), 2, name);
      phi->addIncoming(start, lanes_[before].after);
      phi->addIncoming(llvm::IRBuilder<>(lanes_[iteration].after).CreateAdd(phi, step), lanes_[iteration].after);
      return phi;
    };
    taken_ = count(llvm::Constant::getNullValue(loop_.more->getType()),
                   llvm::ConstantInt::get(loop_.more->getType(), 1), "strip.taken");
    for (const OuterLoop::Counter& counter : loop_.counters) {
      auto* const phi = llvm::cast<llvm::PHINode>(clones_[counter.phi]);
      phi->replaceAllUsesWith(count(counter.start, counter.step, "strip." + phi->getName()));
      phi->eraseFromParent();
    }
  }

  Part partOf(const llvm::Use& use) const {
    const auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto* const phi = llvm::dyn_cast<llvm::PHINode>(user);
    return part_.lookup(phi ? phi->getIncomingBlock(use) : user->getParent());
  }

  /// Puts what goes from part to part, or from iteration to iteration, into slots.
  void demote() {
    for (llvm::BasicBlock* copy : blocks_) {
      if (copy == header_) continue;
      for (llvm::PHINode& phi : llvm::make_early_inc_range(copy->phis())) {
        const bool crosses = copy == iterationHeader_ || llvm::any_of(phi.blocks(), [&](const llvm::BasicBlock* from) {
                               return part_.lookup(from) != part_.lookup(copy);
                             });
        if (crosses) slots_.push_back(llvm::DemotePHIToStack(&phi, entry_));
      }
    }
    auto* const x = llvm::cast<llvm::PHINode>(clones_[loop_.x]);
    auto* const next = llvm::cast<llvm::Instruction>(clones_[loop_.next]);
    for (llvm::Instruction* counter : {next, static_cast<llvm::Instruction*>(x)}) {
      for (llvm::Use& use : llvm::make_early_inc_range(counter->uses())) {
        if (use.getUser() == x) continue;
        const Lanes& lanes = lanes_[partOf(use)];
        use.set(counter == x ? lanes.x : lanes.next);
      }
      if (counter == next) x->setIncomingValue(0, number(0)), x->setIncomingValue(1, number(0));
      counter->eraseFromParent();
    }
    for (llvm::BasicBlock* copy : blocks_) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*copy)) {
        const bool crosses =
            llvm::any_of(instruction.uses(), [&](const llvm::Use& use) { return partOf(use) != part_.lookup(copy); });
        if (crosses) slots_.push_back(llvm::DemoteRegToStack(instruction, false, entry_));
      }
    }
  }

  /// Makes every way from part to part, or to the next iteration, one to the part's end that notes where it led: 0 for
  /// an iteration. Where all items take as many, that is asked once, behind the lanes.
  void connect() {
    llvm::MapVector<llvm::BasicBlock*, unsigned> targets;
    if (loop_.more) {
      llvm::Instruction* const again = clone(loop_.iterations->getLoopLatch())->getTerminator();
      llvm::IRBuilder<>(again).CreateBr(lanes_[iteration].end);
      again->eraseFromParent();
    }
    for (llvm::BasicBlock* copy : blocks_) {
      llvm::Instruction* const end = copy->getTerminator();
      if (!end) continue;
      for (unsigned i = 0; i < end->getNumSuccessors(); ++i) {
        llvm::BasicBlock* const to = end->getSuccessor(i);
        if (to == lanes_[iteration].end) continue;
        if (part_.lookup(to) == part_.lookup(copy) && to != iterationHeader_) continue;
        unsigned which = 0;
        if (to != iterationHeader_)
          which = targets.try_emplace(to, static_cast<unsigned>(targets.size() + 1)).first->second;
        llvm::BasicBlock* const way = block("strip.leave");
        part_[way] = part_.lookup(copy);
        added_.push_back(way);
        llvm::IRBuilder<> builder(way);
        builder.CreateStore(builder.getInt32(which), where_);
        if (part_.lookup(copy) == iteration && which != 0) ended_.push_back(way);
        builder.CreateBr(lanes_[part_.lookup(copy)].end);
        end->setSuccessor(i, way);
      }
    }
    llvm::IRBuilder<>(latch_).CreateBr(lanes_[behind].end);
    llvm::append_range(blocks_, added_);

    llvm::IRBuilder<> builder(lanes_[before].head);
    builder.CreateBr(header_);
    const auto ask = [&](Part part) {
      builder.SetInsertPoint(lanes_[part].head);
      part_[lanes_[part].head] = part;
      blocks_.push_back(lanes_[part].head);
      return builder.CreateLoad(builder.getInt32Ty(), where_, "where");
    };
    llvm::Value* where = ask(iteration);
    isPassedBy_ = !targets.empty();
    if (loop_.more && !isPassedBy_) {
      builder.CreateBr(iterationHeader_);
    } else {
      ended_.push_back(block("strip.idle"));
      builder.CreateCondBr(builder.CreateICmpEQ(where, builder.getInt32(0), "goes.on"), iterationHeader_,
                           ended_.back());
      llvm::IRBuilder<>(ended_.back()).CreateBr(lanes_[iteration].end);
    }
    auto ways = targets.takeVector();
    if (loop_.more) ways.emplace_back(clone(loop_.iterations->getExitBlock()), 0);
    if (ways.size() > 1) where = ask(behind);
    builder.SetInsertPoint(lanes_[behind].head);
    for (const auto& [target, which] : ways) {
      if (target == ways.back().first && which == ways.back().second) {
        builder.CreateBr(target);
        break;
      }
      llvm::BasicBlock* const other = block("strip.other");
      builder.CreateCondBr(builder.CreateICmpEQ(where, builder.getInt32(which)), target, other);
      builder.SetInsertPoint(other);
    }
  }

  /// Gives each part a variable of its own for each slot it uses, and each slot an array of the strip.
  void spreadSlots() {
    llvm::MDNode* const list = llvm::findOptionMDForLoop(loop_.items, "llvm.loop.parallel_accesses");
    llvm::Metadata* const access = list->getOperand(1);
    for (llvm::AllocaInst* slot : slots_) {
      llvm::Type* const type = slot->getAllocatedType();
      auto* const array = new llvm::AllocaInst(llvm::ArrayType::get(type, loop_.width), 0, nullptr, llvm::Align(64),
                                               slot->getName() + ".strip", entry_);
      for (const Part part : {before, iteration, behind}) {
        const Lanes& lanes = lanes_[part];
        const auto place = [&](llvm::IRBuilder<>& builder) {
          return builder.CreateInBoundsGEP(array->getAllocatedType(), array, {number(0), lanes.lane});
        };
        const auto tag = [&](llvm::Instruction* instruction) {
          instruction->setMetadata(llvm::LLVMContext::MD_access_group, llvm::cast<llvm::MDNode>(access));
        };
        llvm::AllocaInst* own = nullptr;
        bool writes = false;
        const bool ends = part == iteration && slot != where_ && llvm::none_of(slot->uses(), [&](const llvm::Use& use) {
                            return part_.lookup(llvm::cast<llvm::Instruction>(use.getUser())->getParent()) == behind;
                          });
        for (llvm::Use& use : llvm::make_early_inc_range(slot->uses())) {
          auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
          if (part_.lookup(user->getParent()) != part) continue;
          if (!own) own = new llvm::AllocaInst(type, 0, slot->getName(), entry_);
          writes |= llvm::isa<llvm::StoreInst>(user);
          use.set(own);
        }
        if (part == before && !writes) {
          // What iterations are to find has no value yet; the last strip's is not to be kept.
          llvm::IRBuilder<> builder(lanes.end);
          tag(builder.CreateStore(llvm::Constant::getNullValue(type), place(builder)));
        }
        if (!own) continue;
        own_.push_back(own);
        llvm::IRBuilder<> head(lanes.head, std::next(llvm::cast<llvm::Instruction>(lanes.next)->getIterator()));
        llvm::Value* value = llvm::PoisonValue::get(type);  // an item begins; nothing is left of the last one's
        if (part != before) {
          value = head.CreateLoad(type, place(head));
          tag(llvm::cast<llvm::Instruction>(value));
        }
        head.CreateStore(value, own);
        // What nobody reads behind need not be kept for lanes that take no more iterations: their arithmetic may go on.
        for (llvm::BasicBlock* idle : ended_)
          if (ends && writes) llvm::IRBuilder<>(idle->getTerminator()).CreateStore(llvm::PoisonValue::get(type), own);
        if (part != behind && writes) {
          llvm::IRBuilder<> builder(lanes.end);
          value = builder.CreateLoad(type, own);
          tag(builder.CreateStore(value, place(builder)));
          if (slot == where_) goesOn_[part] = value;
        }
      }
    }
  }

  /// Whether a lane of the strip takes an iteration behind the part, known where its loop over lanes ends.
  llvm::Value* anyGoesOn(Part part, llvm::BasicBlock* first) {
    const Lanes& lanes = lanes_[part];
    llvm::IRBuilder<> builder(lanes.head, lanes.head->begin());
    llvm::PHINode* const any = builder.CreatePHI(builder.getInt32Ty(), 2, "strip.any");
    any->addIncoming(builder.getInt32(0), first);
    builder.SetInsertPoint(lanes.end);
    llvm::Value* const on = builder.CreateZExt(builder.CreateIsNull(goesOn_[part]), builder.getInt32Ty());
    llvm::Value* const next = builder.CreateOr(any, on, "strip.any.next");
    any->addIncoming(next, lanes.end);
    return next;
  }

  /// What ends each loop over lanes, the iterations and the strip.
  void closeStrip() {
    // Iterations that are counted once for all lanes are of those that enter the loop: there may be none.
    const bool asksFirst = loop_.more && isPassedBy_;
    llvm::Value* const enters = asksFirst ? anyGoesOn(before, strip_) : nullptr;
    llvm::Value* const goesOn = loop_.more ? nullptr : anyGoesOn(iteration, iterationFirst_);
    for (const Lanes& lanes : lanes_) {
      llvm::IRBuilder<> builder(lanes.end);
      llvm::Value* const step = builder.CreateAdd(lanes.lane, number(1), "lane.next", true, true);
      lanes.lane->addIncoming(step, lanes.end);
      llvm::Instruction* const again =
          builder.CreateCondBr(builder.CreateICmpEQ(step, number(loop_.width)), lanes.after, lanes.head);
      again->setMetadata(llvm::LLVMContext::MD_loop, loopOfOneVector(loop_));
    }
    llvm::IRBuilder<> builder(lanes_[before].after);
    if (asksFirst) {
      builder.CreateCondBr(builder.CreateIsNull(enters), lanes_[behind].head, iterationFirst_);
      lanes_[behind].lane->addIncoming(number(0), lanes_[before].after);
    } else {
      builder.CreateBr(iterationFirst_);
    }
    builder.SetInsertPoint(lanes_[iteration].after);
    builder.CreateCondBr(loop_.more ? builder.CreateICmpEQ(taken_, loop_.more) : builder.CreateIsNull(goesOn),
                         lanes_[behind].head, iterationFirst_);

    builder.SetInsertPoint(lanes_[behind].after);
    llvm::Value* const next = builder.CreateAdd(base_, number(loop_.width), "strip.next", true, true);
    base_->addIncoming(next, lanes_[behind].after);
    llvm::Value* const more = builder.CreateICmpUGE(builder.CreateSub(loop_.end, next), number(loop_.width));
    builder.CreateCondBr(more, strip_, done_);
    builder.SetInsertPoint(done_);
    llvm::BasicBlock* const exit = loop_.items->getExitBlock();
    builder.CreateCondBr(builder.CreateICmpEQ(next, loop_.end), exit, loop_.items->getHeader());
    loop_.x->addIncoming(next, done_);
    for (llvm::PHINode& phi : exit->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(loop_.items->getLoopLatch()), done_);
  }

  const OuterLoop& loop_;
  llvm::Function& function_;
  llvm::LLVMContext& context_;
  llvm::BasicBlock::iterator entry_;
  llvm::ValueToValueMapTy clones_;
  llvm::SmallVector<llvm::BasicBlock*, 16> blocks_, added_;
  llvm::SmallVector<llvm::BasicBlock*, 4> ended_;  ///< ways through an iteration of lanes that take no further one
  llvm::DenseMap<const llvm::BasicBlock*, Part> part_;
  llvm::BasicBlock *header_ = nullptr, *iterationHeader_ = nullptr, *latch_ = nullptr;
  llvm::BasicBlock *pre_ = nullptr, *strip_ = nullptr, *done_ = nullptr, *iterationFirst_ = nullptr;
  std::array<Lanes, 3> lanes_;
  llvm::PHINode *base_ = nullptr, *taken_ = nullptr;
  std::array<llvm::Value*, 3> goesOn_ = {};  ///< where_ when an item leaves the part
  bool isPassedBy_ = false;                  ///< the iterations, by items that take none
  llvm::AllocaInst* where_ = nullptr;        ///< 0: takes an iteration; else the number of the block that comes behind
  std::vector<llvm::AllocaInst*> slots_;     ///< what crosses, as of one item
  std::vector<llvm::AllocaInst*> own_;       ///< the same in one part
};

}  // namespace

void makeStrip(const OuterLoop& loop) {
  Strip(loop).make();
}

}  // namespace lathe::detail
