// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conditions are exact in the arithmetic of the loop's own counter, which may wrap: u < n - (items - 1), saturated,
// holds only if u + x < n, without a wrap, for each x.
#include "core/group/split/uniform_iterations.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include "core/group/analysis/uniformity.h"
#include "core/group/entry/group_function.h"
#include "core/group/split/barrier_splits.h"
#include "core/group/split/strided_loop.h"

namespace lathe::detail {
namespace {

/// Iterations of a small loop that are taken at once, so that what items carry is loaded and stored less often.
constexpr unsigned iterationsTogether = 4;
/// Instructions of a loop's body above which that does not pay.
constexpr std::size_t maxRepeatedBody = 48;
/// Loops of one kernel that are rewritten, for the sake of compile time.
constexpr std::size_t maxLoops = 8;

/// Puts the loops of uniform iterations in front of one loop.
class IterationPeeler {
 public:
  IterationPeeler(const GroupFunction& group, const StridedLoop& strided)
      : group_(group),
        loop_(*strided.loop),
        strided_(strided),
        done_(strided.done),
        builder_(strided.guard),
        type_(strided.counters.front().phi->getType()) {}

  void run() {
    llvm::BasicBlock* const preheader = loop_.getLoopPreheader();
    llvm::BasicBlock* const begin = strided_.guard->getParent();
    for (llvm::BasicBlock* behind : {preheader, strided_.away}) {
      if (!behind) continue;
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*behind))
        if (!instruction.isTerminator()) instruction.moveBefore(strided_.guard->getIterator());
    }
    if (strided_.away) {
      strided_.guard->replaceSuccessorWith(strided_.away, done_);
      done_->replacePhiUsesWith(strided_.away, begin);
      strided_.away->eraseFromParent();
    }
    if (&*loop_.getExitBlock()->getFirstNonPHIIt() != loop_.getExitBlock()->getTerminator()) separateExit(*begin);
    std::size_t size = 0;
    for (const llvm::BasicBlock* block : loop_.blocks()) size += block->size();
    builder_.SetCurrentDebugLocation({});
    last_ = lastItem(type_);
    State state = initialState(*begin);
    strided_.guard->eraseFromParent();
    builder_.SetInsertPoint(begin);
    if (size <= maxRepeatedBody && !isLarge(group_)) takeIterations(iterationsTogether, state);
    takeIterations(1, state);
    leaveRest(state, *preheader, *begin);
    // Only now: what a condition was made of may be a result, which no phi had before.
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(conditions_);
  }

 private:
  /// Values between two loops.
  struct State {
    std::vector<llvm::Value*> counters;  ///< at x = 0
    std::vector<llvm::Value*> carried;
    std::vector<llvm::Value*> results;  ///< of the phis of `done`, should the loop end here

    template <class Visit>
    void forEach(const Visit& visit) {
      for (auto* list : {&counters, &carried, &results}) {
        for (llvm::Value*& value : *list) visit(value);
      }
    }
  };

  /// Takes out of the loop's exit what items do there that had an iteration, as the store of a sum, and asks the
  /// guard's condition again, for some of them have none in the loop that is left for the rest.
  ///
  ///   before: if (c) { loop; work }    after: if (c) { loop }    if (c) { work }
  void separateExit(llvm::BasicBlock& begin) {
    llvm::BasicBlock* const exit = loop_.getExitBlock();
    llvm::BasicBlock* const work = llvm::SplitBlock(exit, exit->getFirstNonPHIIt());
    auto* const joined = llvm::BasicBlock::Create(exit->getContext(), "iterated.all", exit->getParent(), work);
    exit->getTerminator()->setSuccessor(0, joined);
    strided_.guard->replaceSuccessorWith(done_, joined);
    done_->replacePhiUsesWith(&begin, joined);

    llvm::IRBuilder<> builder(joined);
    llvm::DenseMap<llvm::Value*, llvm::PHINode*> values;
    const auto handOn = [&](llvm::Use& use) {
      const auto* const made = llvm::dyn_cast<llvm::Instruction>(use.get());
      if (!made || (made->getParent() != exit && !loop_.contains(made))) return;
      llvm::PHINode*& phi = values[use.get()];
      if (!phi) {
        phi = builder.CreatePHI(use->getType(), 2);
        phi->addIncoming(use.get(), exit);
        phi->addIncoming(llvm::PoisonValue::get(use->getType()), &begin);
      }
      use.set(phi);
    };
    for (llvm::Instruction& instruction : *work)
      for (llvm::Use& use : instruction.operands()) handOn(use);
    for (llvm::PHINode& phi : done_->phis())
      if (const int i = phi.getBasicBlockIndex(work); i >= 0) handOn(phi.getOperandUse(static_cast<unsigned>(i)));
    const bool isTrue = strided_.guard->getSuccessor(0) == loop_.getLoopPreheader();
    builder.CreateCondBr(strided_.guard->getCondition(), isTrue ? work : done_, isTrue ? done_ : work);
    done_ = joined;
  }

  /// x of the row's last item.
  llvm::Value* lastItem(llvm::Type* type) {
    return builder_.CreateSub(builder_.CreateZExtOrTrunc(group_.rowItems, type), llvm::ConstantInt::get(type, 1));
  }

  llvm::Constant* greatest(llvm::Type* type, bool isSigned) {
    const unsigned bits = type->getIntegerBitWidth();
    return llvm::ConstantInt::get(type,
                                  isSigned ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits));
  }

  /// What a counter begins with at x = 0. Where the sum that it extends wraps on the way to the last item, wraps_ is.
  llvm::Value* firstAtZero(const Counter& counter) {
    llvm::Type* const type = counter.phi->getType();
    llvm::Value* base = llvm::ConstantInt::get(type, 0);
    llvm::Value* narrow = nullptr;
    std::optional<llvm::Instruction::CastOps> extension;
    for (const XPlus::Term& term : counter.first.terms) {
      if (term.extension && counter.first.mayWrap) {
        narrow = narrow ? builder_.CreateAdd(narrow, term.value) : term.value;
        extension = term.extension;
        continue;
      }
      base = builder_.CreateAdd(base,
                                term.extension ? builder_.CreateCast(*term.extension, term.value, type) : term.value);
    }
    if (!narrow) return base;
    narrow = builder_.CreateFreeze(narrow);  // asked before it is known that there is an iteration
    const bool isSigned = *extension == llvm::Instruction::SExt;
    llvm::Value* const most = builder_.CreateSub(greatest(narrow->getType(), isSigned), lastItem(narrow->getType()));
    llvm::Value* const wraps = isSigned ? builder_.CreateICmpSGT(narrow, most) : builder_.CreateICmpUGT(narrow, most);
    wraps_ = wraps_ ? builder_.CreateOr(wraps_, wraps) : wraps;
    return builder_.CreateAdd(base, builder_.CreateCast(*extension, narrow, type));
  }

  State initialState(llvm::BasicBlock& begin) {
    State out;
    for (const Counter& counter : strided_.counters) out.counters.push_back(firstAtZero(counter));
    // No iteration is of all items then.
    if (wraps_)
      out.counters.front() = builder_.CreateSelect(wraps_, greatest(type_, strided_.isSigned), out.counters.front());
    for (const llvm::PHINode* phi : strided_.carried)
      out.carried.push_back(phi->getIncomingValueForBlock(loop_.getLoopPreheader()));
    for (const llvm::PHINode& phi : done_->phis()) out.results.push_back(phi.getIncomingValueForBlock(&begin));
    return out;
  }

  /// What the counter must be below so that all items have `iterations` iterations.
  llvm::Value* limit(unsigned iterations) {
    const auto saturated = [&](llvm::Intrinsic::ID ofSigned, llvm::Intrinsic::ID ofUnsigned, llvm::Value* a,
                               llvm::Value* b) {
      return builder_.CreateBinaryIntrinsic(strided_.isSigned ? ofSigned : ofUnsigned, a, b);
    };
    const auto add = [&](llvm::Value* a, llvm::Value* b) {
      return saturated(llvm::Intrinsic::sadd_sat, llvm::Intrinsic::uadd_sat, a, b);
    };
    llvm::Value* const step = strided_.counters.front().step;
    llvm::Value* far = last_;
    for (unsigned iteration = 1; iteration < iterations; ++iteration) far = add(far, step);
    llvm::Value* out = saturated(llvm::Intrinsic::ssub_sat, llvm::Intrinsic::usub_sat, strided_.bound, far);
    if (!strided_.isSigned || iterations == 1) return out;
    llvm::Value* const least =
        llvm::ConstantInt::get(type_, llvm::APInt::getSignedMinValue(type_->getIntegerBitWidth()));
    return builder_.CreateSelect(builder_.CreateICmpSGT(step, llvm::ConstantInt::get(type_, 0)), out, least);
  }

  llvm::Value* less(llvm::Value* a, llvm::Value* b) {
    return strided_.isSigned ? builder_.CreateICmpSLT(a, b) : builder_.CreateICmpULT(a, b);
  }

  /// counter + x; `bounded` if that is known to be below the bound.
  llvm::Value* atItem(unsigned counter, llvm::Value* base, bool bounded) {
    const Counter& known = strided_.counters[counter];
    llvm::Value* const id = builder_.CreateZExtOrTrunc(known.first.id, known.phi->getType());
    const bool flagged = bounded && counter == 0;
    return builder_.CreateAdd(base, id, "", flagged && !strided_.isSigned, flagged && strided_.isSigned);
  }

  /// A loop of `iterations` iterations at once, behind the insertion point, and the state after it.
  void takeIterations(unsigned iterations, State& state) {
    llvm::BasicBlock* const before = builder_.GetInsertBlock();
    llvm::LLVMContext& context = before->getContext();
    const auto block = [&](const char* name) {
      return llvm::BasicBlock::Create(context, name, before->getParent(), loop_.getHeader());
    };
    llvm::BasicBlock *const begin = block("iterations.begin"), *const head = block("iterations");
    llvm::BasicBlock *const end = block("iterations.end"), *const after = block("iterated");
    llvm::Value* const most = limit(iterations);
    builder_.CreateCondBr(less(state.counters.front(), most), begin, after);
    builder_.SetInsertPoint(begin);
    builder_.CreateBr(head);
    builder_.SetInsertPoint(head);
    State inside = state;
    std::vector<llvm::PHINode*> phis;
    inside.results.clear();
    inside.forEach([&](llvm::Value*& value) {
      llvm::PHINode* const phi = builder_.CreatePHI(value->getType(), 2);
      phi->addIncoming(value, begin);
      phis.push_back(phi);
      value = phi;
    });
    for (unsigned iteration = 0; iteration < iterations; ++iteration) takeIteration(inside, *end);
    std::size_t i = 0;
    llvm::BasicBlock* const latch = builder_.GetInsertBlock();
    for (llvm::Value* value : inside.counters) phis[i++]->addIncoming(value, latch);
    for (llvm::Value* value : inside.carried) phis[i++]->addIncoming(value, latch);
    builder_.CreateCondBr(less(inside.counters.front(), most), head, end);
    builder_.SetInsertPoint(end);
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
    std::vector<llvm::Value*> taken;
    inside.forEach([&](llvm::Value* value) { taken.push_back(value); });
    i = 0;
    std::map<std::pair<llvm::Value*, llvm::Value*>, llvm::PHINode*> made;  // a result is often what is carried
    state.forEach([&](llvm::Value*& value) {
      llvm::PHINode*& phi = made[{value, taken[i]}];
      if (!phi) {
        phi = builder_.CreatePHI(value->getType(), 2);
        phi->addIncoming(value, before);
        phi->addIncoming(taken[i], end);
      }
      value = phi;
      ++i;
    });
  }

  /// One copy of the body, behind the insertion point, which moves to the copy's end.
  void takeIteration(State& state, llvm::BasicBlock& behind) {
    llvm::ValueToValueMapTy copies;
    llvm::SmallVector<llvm::BasicBlock*> blocks;
    llvm::BasicBlock* const latch = loop_.getLoopLatch();
    for (llvm::BasicBlock* block : loop_.blocks()) {
      llvm::BasicBlock* const copy = llvm::CloneBasicBlock(block, copies, ".iteration", block->getParent());
      copy->moveBefore(&behind);
      copies[block] = copy;
      blocks.push_back(copy);
    }
    for (unsigned i = 0; i < strided_.counters.size(); ++i)
      replace(copies, *strided_.counters[i].phi, *atItem(i, state.counters[i], true));
    for (std::size_t i = 0; i < strided_.carried.size(); ++i) replace(copies, *strided_.carried[i], *state.carried[i]);
    builder_.CreateBr(llvm::cast<llvm::BasicBlock>(copies[loop_.getHeader()]));
    llvm::remapInstructionsInBlocks(blocks, copies);
    const auto copyOf = [&](llvm::Value* value) -> llvm::Value* {
      const auto found = copies.find(value);
      return found == copies.end() ? value : &*found->second;
    };
    auto* const end = llvm::cast<llvm::BranchInst>(llvm::cast<llvm::BasicBlock>(copies[latch])->getTerminator());
    llvm::Value* const condition = end->getCondition();
    builder_.SetInsertPoint(end->getParent());
    end->eraseFromParent();
    for (std::size_t i = 0; i < state.counters.size(); ++i)
      state.counters[i] = builder_.CreateAdd(state.counters[i], strided_.counters[i].step);
    for (std::size_t i = 0; i < state.carried.size(); ++i)
      state.carried[i] = copyOf(strided_.carried[i]->getIncomingValueForBlock(latch));
    state.results.clear();
    for (const llvm::PHINode& phi : done_->phis()) {
      llvm::Value* value = phi.getIncomingValueForBlock(loop_.getExitBlock());
      auto* const inner = llvm::dyn_cast<llvm::PHINode>(value);
      if (inner && inner->getParent() == loop_.getExitBlock()) value = inner->getIncomingValueForBlock(latch);
      state.results.push_back(copyOf(value));
    }
    conditions_.emplace_back(condition);
  }

  static void replace(llvm::ValueToValueMapTy& copies, llvm::PHINode& phi, llvm::Value& value) {
    llvm::cast<llvm::Instruction>(copies[&phi])->eraseFromParent();
    copies[&phi] = &value;
  }

  /// Connects the loop itself, for the iterations that are left to some items.
  void leaveRest(State& state, llvm::BasicBlock& preheader, llvm::BasicBlock& begin) {
    llvm::BasicBlock* const all = builder_.GetInsertBlock();
    llvm::BasicBlock* const each = llvm::BasicBlock::Create(all->getContext(), "rest", all->getParent(), &preheader);
    // The first item is the nearest to its end, unless the counter wraps between two items.
    llvm::Value* const safe = builder_.CreateSub(greatest(type_, strided_.isSigned), last_);
    llvm::Value* const first = state.counters.front();
    llvm::Value* const some = builder_.CreateOr(less(first, strided_.bound), less(safe, first));
    builder_.CreateCondBr(some, each, done_);
    builder_.SetInsertPoint(each);
    std::vector<llvm::Value*> counters;
    for (unsigned i = 0; i < strided_.counters.size(); ++i) {
      llvm::Value* const sum = atItem(i, state.counters[i], false);
      llvm::Value* const own = strided_.counters[i].phi->getIncomingValueForBlock(&preheader);
      counters.push_back(wraps_ ? builder_.CreateSelect(wraps_, own, sum) : sum);
    }
    builder_.CreateCondBr(less(counters.front(), strided_.bound), &preheader, done_);
    for (std::size_t i = 0; i < counters.size(); ++i)
      strided_.counters[i].phi->setIncomingValueForBlock(&preheader, counters[i]);
    for (std::size_t i = 0; i < state.carried.size(); ++i)
      strided_.carried[i]->setIncomingValueForBlock(&preheader, state.carried[i]);
    std::size_t i = 0;
    for (llvm::PHINode& phi : done_->phis()) {
      phi.removeIncomingValue(&begin, false);
      phi.addIncoming(state.results[i], all);
      phi.addIncoming(state.results[i++], each);
    }
    // A few iterations at most: vectors would gather, and cost more than they save.
    llvm::addStringMetadataToLoop(&loop_, "llvm.loop.vectorize.enable", 0);
  }

  const GroupFunction& group_;
  llvm::Loop& loop_;
  const StridedLoop& strided_;
  llvm::BasicBlock* done_;  ///< where items that had no iteration meet the others
  llvm::IRBuilder<> builder_;
  llvm::Type* type_;
  llvm::Value* last_ = nullptr;                         ///< x of the last item
  llvm::Value* wraps_ = nullptr;                        ///< whether a counter's first value is not x plus one of all
  llvm::SmallVector<llvm::WeakTrackingVH> conditions_;  ///< copies that no branch has
};

}  // namespace

void peelUniformIterations(GroupFunction& group, llvm::ArrayRef<SplitPoint> splits) {
  if (llvm::any_of(*group.function, [](const llvm::BasicBlock& block) { return ordersMemory(block); })) return;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> done;
  for (bool changed = true; changed && done.size() < maxLoops;) {
    changed = false;
    const GroupUniformity uniformity(*group.function);
    llvm::DominatorTree dominators(*group.function);
    llvm::LoopInfo loops(dominators);
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      if (done.contains(loop->getHeader())) continue;
      const std::optional<StridedLoop> strided = readStridedLoop(*loop, group, splits, uniformity);
      if (!strided) continue;
      done.insert(loop->getHeader());
      IterationPeeler(group, *strided).run();
      changed = true;
      break;
    }
  }
}

}  // namespace lathe::detail
