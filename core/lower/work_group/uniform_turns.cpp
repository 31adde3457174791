// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conditions are exact in the arithmetic of the loop's own counter, which may wrap: u < n - (items - 1), saturated,
// holds only if u + x < n, without a wrap, for each x.
#include "core/lower/work_group/uniform_turns.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include "core/lower/work_group/device_calls.h"
#include "core/lower/work_group/group_function.h"
#include "core/lower/work_group/splits.h"
#include "core/lower/work_group/uniformity.h"

namespace lathe::detail {
namespace {

/// Turns of a small loop that are taken at once, so that what items carry is loaded and stored less often.
constexpr unsigned turnsTogether = 4;
/// Instructions of a loop's body above which that does not pay.
constexpr std::size_t maxRepeatedBody = 48;
/// Loops of one kernel that are rewritten, for the sake of compile time.
constexpr std::size_t maxLoops = 8;

/// x plus a sum of what is the same for all items.
struct XPlus {
  llvm::Instruction* id = nullptr;
  struct Term {
    llvm::Value* value;
    std::optional<llvm::Instruction::CastOps> extension;
  };
  llvm::SmallVector<Term, 2> terms;
};

/// A phi of a loop's head that counts: an XPlus at first, `step` more in each turn.
struct Counter {
  llvm::PHINode* phi;
  XPlus first;
  llvm::Value* step;
};

/// What is known of a loop that can be rewritten.
struct StridedLoop {
  llvm::Loop* loop;
  std::vector<Counter> counters;  ///< the first one decides when the loop ends: it goes on while next < bound
  std::vector<llvm::PHINode*> carried;
  bool isSigned;
  llvm::Value* bound;
  llvm::BranchInst* guard;  ///< in front of the preheader: first < bound
  llvm::BasicBlock* done;   ///< where items that had no turn meet the others
};

class XPlusFinder {
 public:
  XPlusFinder(const GroupFunction& group, const GroupUniformity& uniformity) : group_(group), uniformity_(uniformity) {}

  std::optional<XPlus> find(llvm::Value& value) const {
    XPlus out;
    if (!add(value, std::nullopt, out)) return std::nullopt;
    return out;
  }

 private:
  bool add(llvm::Value& value, std::optional<llvm::Instruction::CastOps> extension, XPlus& out) const {
    auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction) return false;
    if (itemIdAxisOf(*instruction) == 0U) {
      out.id = instruction;
      return true;
    }
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction) && !extension)
      return add(*instruction->getOperand(0), llvm::cast<llvm::CastInst>(instruction)->getOpcode(), out);
    if (instruction->getOpcode() != llvm::Instruction::Add) return false;
    for (const unsigned i : {0U, 1U}) {
      llvm::Value& rest = *instruction->getOperand(1 - i);
      llvm::Value& side = *instruction->getOperand(i);
      if (!uniformity_.isUniform(rest) || !commutes(*instruction, extension, rest, side)) continue;
      if (!add(side, extension, out)) continue;
      out.terms.push_back({&rest, extension});
      return true;
    }
    return false;
  }

  /// Whether the extension of the sum is the sum of the extensions.
  bool commutes(const llvm::Instruction& sum, std::optional<llvm::Instruction::CastOps> extension,
                const llvm::Value& rest, const llvm::Value& side) const {
    if (!extension) return true;
    const auto* const id = llvm::dyn_cast<llvm::Instruction>(&side);
    if (&rest == group_.firstItem[0] && id && itemIdAxisOf(*id)) return true;  // see maxItems
    return *extension == llvm::Instruction::SExt ? sum.hasNoSignedWrap() : sum.hasNoUnsignedWrap();
  }

  const GroupFunction& group_;
  const GroupUniformity& uniformity_;
};

/// Decides which loops to rewrite.
class LoopReader {
 public:
  LoopReader(const GroupFunction& group, llvm::ArrayRef<SplitPoint> splits, const GroupUniformity& uniformity)
      : splits_(splits), uniformity_(uniformity), finder_(group, uniformity) {}

  std::optional<StridedLoop> read(llvm::Loop& loop) const {
    StridedLoop out{};
    out.loop = &loop;
    out.guard = loop.getLoopGuardBranch();
    const llvm::BasicBlock* const latch = loop.getLoopLatch();
    llvm::BasicBlock* const exit = loop.getExitBlock();
    if (!out.guard || !exit || !loop.isInnermost() || loop.getExitingBlock() != latch) return std::nullopt;
    if (!uniformity_.branchDiverges(*latch) || !bodyVectorises(loop, splits_, uniformity_)) return std::nullopt;
    out.done = exit->getSingleSuccessor();
    const unsigned away = out.guard->getSuccessor(0) == loop.getLoopPreheader() ? 1 : 0;
    if (!out.done || out.guard->getSuccessor(away) != out.done || &*exit->getFirstNonPHIIt() != exit->getTerminator())
      return std::nullopt;
    if (!readEnd(out) || !readCounters(out) || !canHoist(*loop.getLoopPreheader())) return std::nullopt;
    return out;
  }

 private:
  /// The loop's condition and the guard's: the same comparison, of the counter's next and its first value.
  bool readEnd(StridedLoop& out) const {
    auto* const branch = llvm::cast<llvm::BranchInst>(out.loop->getLoopLatch()->getTerminator());
    llvm::CmpInst::Predicate predicate{}, guardPredicate{};
    llvm::Value *next = nullptr, *first = nullptr, *guardBound = nullptr;
    if (!readLess(*branch, out.loop->getHeader(), next, out.bound, predicate)) return false;
    if (!readLess(*out.guard, out.loop->getLoopPreheader(), first, guardBound, guardPredicate)) return false;
    if (predicate != guardPredicate || guardBound != out.bound) return false;
    if (!uniformity_.isUniform(*out.bound) || !out.loop->isLoopInvariant(out.bound)) return false;
    out.isSigned = predicate == llvm::CmpInst::ICMP_SLT;
    for (llvm::PHINode& phi : out.loop->getHeader()->phis()) {
      if (phi.getIncomingValueForBlock(out.loop->getLoopLatch()) != next) continue;
      if (phi.getIncomingValueForBlock(out.loop->getLoopPreheader()) != first) continue;
      std::optional<Counter> counter = readCounter(phi, *out.loop);
      if (counter) out.counters.push_back(std::move(*counter));
      return counter.has_value();
    }
    return false;
  }

  /// `branch` goes to `target` if left < right.
  static bool readLess(const llvm::BranchInst& branch, const llvm::BasicBlock* target, llvm::Value*& left,
                       llvm::Value*& right, llvm::CmpInst::Predicate& predicate) {
    const auto* const compare =
        branch.isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch.getCondition()) : nullptr;
    if (!compare || !compare->getOperand(0)->getType()->isIntegerTy()) return false;
    predicate = branch.getSuccessor(0) == target ? compare->getPredicate() : compare->getInversePredicate();
    left = compare->getOperand(0);
    right = compare->getOperand(1);
    if (predicate == llvm::CmpInst::ICMP_UGT || predicate == llvm::CmpInst::ICMP_SGT) {
      std::swap(left, right);
      predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    }
    return predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_SLT;
  }

  std::optional<Counter> readCounter(llvm::PHINode& phi, llvm::Loop& loop) const {
    const auto* const next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
    if (!next || next->getOpcode() != llvm::Instruction::Add) return std::nullopt;
    const unsigned self = next->getOperand(0) == &phi ? 0 : 1;
    llvm::Value* const step = next->getOperand(1 - self);
    if (next->getOperand(self) != &phi || !uniformity_.isUniform(*step)) return std::nullopt;
    std::optional<XPlus> first = finder_.find(*phi.getIncomingValueForBlock(loop.getLoopPreheader()));
    bool changed = false;
    if (!first || !loop.makeLoopInvariant(step, changed, loop.getLoopPreheader()->getTerminator())) return std::nullopt;
    return Counter{&phi, std::move(*first), step};
  }

  bool readCounters(StridedLoop& out) const {
    for (llvm::PHINode& phi : out.loop->getHeader()->phis()) {
      if (&phi == out.counters.front().phi) continue;
      std::optional<Counter> counter;
      if (phi.getType()->isIntegerTy()) counter = readCounter(phi, *out.loop);
      if (counter) {
        out.counters.push_back(std::move(*counter));
      } else {
        out.carried.push_back(&phi);
      }
    }
    return true;
  }

  static bool canHoist(const llvm::BasicBlock& preheader) {
    return llvm::all_of(preheader, [](const llvm::Instruction& instruction) {
      return instruction.isTerminator() ||
             (llvm::isSafeToSpeculativelyExecute(&instruction) && !instruction.mayReadOrWriteMemory());
    });
  }

  llvm::ArrayRef<SplitPoint> splits_;
  const GroupUniformity& uniformity_;
  XPlusFinder finder_;
};

/// Puts the loops of uniform turns in front of one loop.
class TurnPeeler {
 public:
  TurnPeeler(const GroupFunction& group, const StridedLoop& strided)
      : group_(group),
        loop_(*strided.loop),
        strided_(strided),
        builder_(strided.guard),
        type_(strided.counters.front().phi->getType()) {}

  void run() {
    llvm::BasicBlock* const preheader = loop_.getLoopPreheader();
    llvm::BasicBlock* const begin = strided_.guard->getParent();
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*preheader)) {
      if (!instruction.isTerminator()) instruction.moveBefore(strided_.guard->getIterator());
    }
    std::size_t size = 0;
    for (const llvm::BasicBlock* block : loop_.blocks()) size += block->size();
    State state = initialState(*begin);
    strided_.guard->eraseFromParent();
    builder_.SetInsertPoint(begin);
    builder_.SetCurrentDebugLocation({});
    last_ = builder_.CreateSub(builder_.CreateZExtOrTrunc(group_.rowItems, type_), llvm::ConstantInt::get(type_, 1));
    if (size <= maxRepeatedBody) takeTurns(turnsTogether, state);
    takeTurns(1, state);
    leaveRest(state, *preheader, *begin);
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

  State initialState(llvm::BasicBlock& begin) {
    State out;
    for (const Counter& counter : strided_.counters) {
      llvm::Value* base = llvm::ConstantInt::get(counter.phi->getType(), 0);
      for (const XPlus::Term& term : counter.first.terms) {
        llvm::Value* const value =
            term.extension ? builder_.CreateCast(*term.extension, term.value, counter.phi->getType()) : term.value;
        base = builder_.CreateAdd(base, value);
      }
      out.counters.push_back(base);
    }
    for (const llvm::PHINode* phi : strided_.carried)
      out.carried.push_back(phi->getIncomingValueForBlock(loop_.getLoopPreheader()));
    for (const llvm::PHINode& phi : strided_.done->phis()) out.results.push_back(phi.getIncomingValueForBlock(&begin));
    return out;
  }

  /// What the counter must be below so that all items have `turns` turns.
  llvm::Value* limit(unsigned turns) {
    const auto saturated = [&](llvm::Intrinsic::ID ofSigned, llvm::Intrinsic::ID ofUnsigned, llvm::Value* a,
                               llvm::Value* b) {
      return builder_.CreateBinaryIntrinsic(strided_.isSigned ? ofSigned : ofUnsigned, a, b);
    };
    const auto add = [&](llvm::Value* a, llvm::Value* b) {
      return saturated(llvm::Intrinsic::sadd_sat, llvm::Intrinsic::uadd_sat, a, b);
    };
    llvm::Value* const step = strided_.counters.front().step;
    llvm::Value* far = last_;
    for (unsigned turn = 1; turn < turns; ++turn) far = add(far, step);
    llvm::Value* out = saturated(llvm::Intrinsic::ssub_sat, llvm::Intrinsic::usub_sat, strided_.bound, far);
    if (!strided_.isSigned || turns == 1) return out;
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

  /// A loop of `turns` turns at once, behind the insertion point, and the state after it.
  void takeTurns(unsigned turns, State& state) {
    llvm::BasicBlock* const before = builder_.GetInsertBlock();
    llvm::LLVMContext& context = before->getContext();
    const auto block = [&](const char* name) {
      return llvm::BasicBlock::Create(context, name, before->getParent(), loop_.getHeader());
    };
    llvm::BasicBlock *const begin = block("turns.begin"), *const head = block("turns");
    llvm::BasicBlock *const end = block("turns.end"), *const after = block("turned");
    llvm::Value* const most = limit(turns);
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
    for (unsigned turn = 0; turn < turns; ++turn) takeTurn(inside, *end);
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
  void takeTurn(State& state, llvm::BasicBlock& behind) {
    llvm::ValueToValueMapTy copies;
    llvm::SmallVector<llvm::BasicBlock*> blocks;
    llvm::BasicBlock* const latch = loop_.getLoopLatch();
    for (llvm::BasicBlock* block : loop_.blocks()) {
      llvm::BasicBlock* const copy = llvm::CloneBasicBlock(block, copies, ".turn", block->getParent());
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
    for (const llvm::PHINode& phi : strided_.done->phis()) {
      llvm::Value* value = phi.getIncomingValueForBlock(loop_.getExitBlock());
      auto* const inner = llvm::dyn_cast<llvm::PHINode>(value);
      if (inner && inner->getParent() == loop_.getExitBlock()) value = inner->getIncomingValueForBlock(latch);
      state.results.push_back(copyOf(value));
    }
    llvm::RecursivelyDeleteTriviallyDeadInstructions(condition);
  }

  static void replace(llvm::ValueToValueMapTy& copies, llvm::PHINode& phi, llvm::Value& value) {
    llvm::cast<llvm::Instruction>(copies[&phi])->eraseFromParent();
    copies[&phi] = &value;
  }

  /// Connects the loop itself, for the turns that are left to some items.
  void leaveRest(State& state, llvm::BasicBlock& preheader, llvm::BasicBlock& begin) {
    llvm::BasicBlock* const all = builder_.GetInsertBlock();
    llvm::BasicBlock* const each = llvm::BasicBlock::Create(all->getContext(), "rest", all->getParent(), &preheader);
    const unsigned bits = type_->getIntegerBitWidth();
    const llvm::APInt most = strided_.isSigned ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
    // The first item is the nearest to its end, unless the counter wraps between two items.
    llvm::Value* const safe = builder_.CreateSub(llvm::ConstantInt::get(type_, most), last_);
    llvm::Value* const first = state.counters.front();
    llvm::Value* const some = builder_.CreateOr(less(first, strided_.bound), less(safe, first));
    builder_.CreateCondBr(some, each, strided_.done);
    builder_.SetInsertPoint(each);
    std::vector<llvm::Value*> counters;
    for (unsigned i = 0; i < strided_.counters.size(); ++i) counters.push_back(atItem(i, state.counters[i], false));
    builder_.CreateCondBr(less(counters.front(), strided_.bound), &preheader, strided_.done);
    for (std::size_t i = 0; i < counters.size(); ++i)
      strided_.counters[i].phi->setIncomingValueForBlock(&preheader, counters[i]);
    for (std::size_t i = 0; i < state.carried.size(); ++i)
      strided_.carried[i]->setIncomingValueForBlock(&preheader, state.carried[i]);
    std::size_t i = 0;
    for (llvm::PHINode& phi : strided_.done->phis()) {
      phi.removeIncomingValue(&begin, false);
      phi.addIncoming(state.results[i], all);
      phi.addIncoming(state.results[i++], each);
    }
    // A few turns at most: vectors would gather, and cost more than they save.
    llvm::addStringMetadataToLoop(&loop_, "llvm.loop.vectorize.enable", 0);
    llvm::addStringMetadataToLoop(&loop_, "llvm.loop.unroll.disable");
  }

  const GroupFunction& group_;
  llvm::Loop& loop_;
  const StridedLoop& strided_;
  llvm::IRBuilder<> builder_;
  llvm::Type* type_;
  llvm::Value* last_ = nullptr;  ///< x of the last item
};

}  // namespace

void peelUniformTurns(GroupFunction& group, llvm::ArrayRef<SplitPoint> splits) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> done;
  for (bool changed = true; changed && done.size() < maxLoops;) {
    changed = false;
    const GroupUniformity uniformity(*group.function);
    llvm::DominatorTree dominators(*group.function);
    llvm::LoopInfo loops(dominators);
    const LoopReader reader(group, splits, uniformity);
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      if (done.contains(loop->getHeader())) continue;
      const std::optional<StridedLoop> strided = reader.read(*loop);
      if (!strided) continue;
      done.insert(loop->getHeader());
      TurnPeeler(group, *strided).run();
      changed = true;
      break;
    }
  }
}

}  // namespace lathe::detail
