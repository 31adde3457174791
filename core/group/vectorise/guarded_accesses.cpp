// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access leaves one condition after the other, from the inside. Its block is cut in three, and the part with the
// access gets the condition's other way in.
#include "core/group/vectorise/guarded_accesses.h"

#include <map>
#include <optional>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include "core/group/vectorise/outer_loop_choice.h"

namespace lathe::detail {
namespace {

/// Accesses of a loop that are made by all items, for the sake of compile time.
constexpr std::size_t mostAccesses = 64;
/// Stores that LLVM's vectoriser takes apart by itself (its option vectorize-num-stores-pred).
constexpr std::size_t storesTakenApart = 1;

/// A branch with a side that leads to a block, and all of that side's ways to it.
struct Guard {
  llvm::BranchInst* branch;
  unsigned side;
};

class Guards {
 public:
  Guards(llvm::DominatorTree& dominators, llvm::PostDominatorTree& ways) : dominators_(dominators), ways_(ways) {}

  void update(llvm::Function& function) {
    dominators_.recalculate(function);
    ways_.recalculate(function);
  }

  llvm::DominatorTree& dominators() { return dominators_; }

  [[nodiscard]] bool isGuarded(const llvm::BasicBlock& block, const llvm::Loop& loop) const {
    return !dominators_.dominates(&block, loop.getLoopLatch());
  }

  /// The innermost one around `block`; none if its condition is more than that of one branch.
  [[nodiscard]] std::optional<Guard> around(const llvm::BasicBlock& block, const llvm::Loop& loop) const {
    for (const auto* node = dominators_.getNode(&block)->getIDom(); node && loop.contains(node->getBlock());
         node = node->getIDom()) {
      auto* const branch = llvm::dyn_cast<llvm::BranchInst>(node->getBlock()->getTerminator());
      if (!branch || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
      for (const unsigned side : {0U, 1U}) {
        if (!dominators_.dominates(llvm::BasicBlockEdge(node->getBlock(), branch->getSuccessor(side)), &block))
          continue;
        if (!ways_.dominates(&block, branch->getSuccessor(side))) return std::nullopt;
        return Guard{branch, side};
      }
    }
    return std::nullopt;
  }

  /// Whether every condition around `block` is that of a branch.
  [[nodiscard]] bool areBranches(const llvm::BasicBlock& block, const llvm::Loop& loop) const {
    const llvm::BasicBlock* at = &block;
    while (isGuarded(*at, loop)) {
      const auto guard = around(*at, loop);
      if (!guard) return false;
      at = guard->branch->getParent();
    }
    return true;
  }

 private:
  llvm::DominatorTree& dominators_;
  llvm::PostDominatorTree& ways_;
};

class LoopAccesses {
 public:
  LoopAccesses(llvm::Loop& loop, Guards& guards, const llvm::TargetTransformInfo& costs,
               llvm::ScalarEvolution& evolution)
      : loop_(loop), guards_(guards), costs_(costs), evolution_(evolution) {}

  /// What keeps the loop from being vectors and need not; nothing if something else does.
  llvm::SmallVector<llvm::Instruction*> find(const llvm::TargetLibraryInfo& library) {
    llvm::SmallVector<llvm::Instruction*> out;
    std::size_t stores = 0;
    for (llvm::BasicBlock* block : loop_.blocks()) {
      const bool guarded = guards_.isGuarded(*block, loop_);
      for (llvm::Instruction& instruction : *block) {
        if (!isVectorisable(instruction, library)) return {};
        if (!guarded || !llvm::getLoadStorePointerOperand(&instruction) || canMask(instruction)) continue;
        if (!guards_.areBranches(*block, loop_)) return {};
        stores += llvm::isa<llvm::StoreInst>(instruction) ? 1 : 0;
        out.push_back(&instruction);
      }
    }
    if (out.size() > mostAccesses || (stores == out.size() && stores <= storesTakenApart)) return {};
    if (!isTwiceAsFast(loop_, costs_, library, evolution_)) return {};
    return out;
  }

 private:
  bool canMask(const llvm::Instruction& access) const {
    llvm::Type* const type = llvm::getLoadStoreType(&access);
    const llvm::Align align = llvm::getLoadStoreAlignment(&access);
    const unsigned space = llvm::getLoadStoreAddressSpace(&access);
    // Others do not become vectors, or have no place of nobody.
    if (!llvm::VectorType::isValidElementType(type) || space != access.getDataLayout().getAllocaAddrSpace())
      return true;
    const bool load = llvm::isa<llvm::LoadInst>(access);
    if (isNeighbour(access))
      return load ? costs_.isLegalMaskedLoad(type, align, space) : costs_.isLegalMaskedStore(type, align, space);
    const std::uint64_t bits =
        costs_.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
    const auto size = access.getDataLayout().getTypeSizeInBits(type).getFixedValue();
    if (size == 0 || bits / size < 2) return true;
    auto* const vector = llvm::FixedVectorType::get(type, static_cast<unsigned>(bits / size));
    return load ? costs_.isLegalMaskedGather(vector, align) : costs_.isLegalMaskedScatter(vector, align);
  }

  /// Whether the next item accesses what lies next.
  bool isNeighbour(const llvm::Instruction& access) const {
    const auto* const pointer = llvm::getLoadStorePointerOperand(&access);
    const auto* const series =
        llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(const_cast<llvm::Value*>(pointer)));
    if (!series || series->getLoop() != &loop_ || !series->isAffine()) return false;
    const auto* const step = llvm::dyn_cast<llvm::SCEVConstant>(series->getStepRecurrence(evolution_));
    const auto size = access.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
    return step && step->getAPInt().abs() == size;
  }

  llvm::Loop& loop_;
  Guards& guards_;
  const llvm::TargetTransformInfo& costs_;
  llvm::ScalarEvolution& evolution_;
};

/// Takes accesses out of their conditions.
class Unguarding {
 public:
  Unguarding(llvm::Function& function, Guards& guards, llvm::LoopInfo& loops)
      : function_(function), guards_(guards), loops_(loops) {}

  void run(llvm::Instruction& access, llvm::Loop& loop) {
    while (guards_.isGuarded(*access.getParent(), loop)) {
      const std::optional<Guard> guard = guards_.around(*access.getParent(), loop);
      if (!guard) return;
      leave(access, *guard, loop);
    }
  }

 private:
  void leave(llvm::Instruction& access, const Guard& guard, const llvm::Loop& loop) {
    llvm::BasicBlock* const fork = guard.branch->getParent();
    llvm::BasicBlock* const other = guard.branch->getSuccessor(1 - guard.side);
    llvm::BasicBlock* const before = access.getParent();
    llvm::BasicBlock* const middle = llvm::SplitBlock(before, access.getIterator(), &guards_.dominators(), &loops_);
    llvm::BasicBlock* const behind =
        llvm::SplitBlock(middle, std::next(access.getIterator()), &guards_.dominators(), &loops_);
    middle->getTerminator()->eraseFromParent();
    llvm::IRBuilder<> builder(middle);
    llvm::Value* const condition = guard.branch->getCondition();
    if (guard.side == 0)
      builder.CreateCondBr(condition, behind, other);
    else
      builder.CreateCondBr(condition, other, behind);
    guard.branch->setSuccessor(1 - guard.side, middle);
    other->replacePhiUsesWith(fork, middle);

    // What is known of the access's value was known under the condition.
    access.dropUBImplyingAttrsAndMetadata({llvm::LLVMContext::MD_access_group, llvm::LLVMContext::MD_tbaa,
                                           llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias});
    builder.SetInsertPoint(&access);
    for (llvm::Use& operand : access.operands()) {
      llvm::PHINode* const either = builder.CreatePHI(operand->getType(), 2);
      const bool isPlace =
          operand.getOperandNo() == (llvm::isa<llvm::LoadInst>(access) ? llvm::LoadInst::getPointerOperandIndex()
                                                                       : llvm::StoreInst::getPointerOperandIndex());
      llvm::Value* const nothing = isPlace ? placeOfNobody(access) : llvm::Constant::getNullValue(operand->getType());
      either->addIncoming(operand, before);
      either->addIncoming(nothing, fork);
      operand.set(either);
    }
    guards_.update(function_);
    handOver(*fork, loop);
  }

  /// What was computed under the condition has no value now where it did not hold.
  void handOver(llvm::BasicBlock& fork, const llvm::Loop& loop) {
    const llvm::DominatorTree& dominators = guards_.dominators();
    llvm::SmallVector<llvm::Instruction*> cut;
    for (llvm::BasicBlock* block : loop.blocks()) {
      for (llvm::Instruction& instruction : *block) {
        const auto isReached = [&](const llvm::Use& use) { return dominators.dominates(&instruction, use); };
        if (!llvm::all_of(instruction.uses(), isReached)) cut.push_back(&instruction);
      }
    }
    std::vector<llvm::AllocaInst*> slots;
    for (llvm::Instruction* instruction : cut) {
      llvm::Value* const none = llvm::PoisonValue::get(instruction->getType());
      slots.push_back(llvm::DemoteRegToStack(*instruction, false, function_.getEntryBlock().getFirstInsertionPt()));
      llvm::IRBuilder<>(fork.getTerminator()).CreateStore(none, slots.back());
    }
    llvm::PromoteMemToReg(slots, guards_.dominators());
  }

  /// Memory of the function's own, all zero; not the same for loads and stores, so that it stays zero.
  llvm::Value* placeOfNobody(const llvm::Instruction& access) {
    const bool load = llvm::isa<llvm::LoadInst>(access);
    llvm::Type* const type = llvm::getLoadStoreType(&access);
    llvm::AllocaInst*& place = places_[{type, load}];
    if (!place) {
      llvm::IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
      place = builder.CreateAlloca(type, nullptr, "nobody");
      if (load) builder.CreateStore(llvm::Constant::getNullValue(type), place);
    }
    place->setAlignment(std::max(place->getAlign(), llvm::getLoadStoreAlignment(&access)));
    return place;
  }

  llvm::Function& function_;
  Guards& guards_;
  llvm::LoopInfo& loops_;
  std::map<std::pair<llvm::Type*, bool>, llvm::AllocaInst*> places_;
};

}  // namespace

llvm::PreservedAnalyses GuardedAccessesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  const auto isItems = [](const llvm::Loop* loop) {
    return loop->isInnermost() && loop->isLoopSimplifyForm() && loop->getExitingBlock() == loop->getLoopLatch() &&
           loop->getNumBlocks() > 1 && llvm::findOptionMDForLoop(loop, "llvm.loop.parallel_accesses");
  };
  if (llvm::none_of(loops.getLoopsInPreorder(), isItems)) return llvm::PreservedAnalyses::all();
  const auto& costs = analyses.getResult<llvm::TargetIRAnalysis>(function);
  const auto& library = analyses.getResult<llvm::TargetLibraryAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  Guards guards(analyses.getResult<llvm::DominatorTreeAnalysis>(function),
                analyses.getResult<llvm::PostDominatorTreeAnalysis>(function));
  Unguarding unguarding(function, guards, loops);
  bool changed = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!isItems(loop)) continue;
    for (llvm::Instruction* access : LoopAccesses(*loop, guards, costs, evolution).find(library)) {
      unguarding.run(*access, *loop);
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
