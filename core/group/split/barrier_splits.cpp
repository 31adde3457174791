// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop inside a region makes the item loop an outer one, which is not vectorised. If all items take the same
// iterations, the loop can go around the item loop instead: a split at its head and one behind it make the region
// between them one iteration ("horizontal inner-loop parallelisation" in pocl's terms). What an item carries from
// iteration to iteration then lives in the context block, so several iterations are unrolled into one first.
//
// Choices that all items make alike are cut out of item loops where that costs nothing.
#include "core/group/split/barrier_splits.h"

#include <algorithm>

#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

#include "core/abi/runtime_abi.h"
#include "core/group/analysis/device_calls.h"
#include "core/group/analysis/item_stride.h"
#include "core/group/analysis/kernel_flow.h"
#include "core/group/analysis/live_across_barriers.h"
#include "core/group/analysis/uniformity.h"
#include "core/group/split/group_atomics.h"

namespace lathe::detail {
namespace {

/// Bytes an item may carry over a split that no barrier asked for.
constexpr std::uint64_t maxCarriedBytes = 64;
/// Iterations of a loop that become one.
constexpr unsigned iterationsTogether = 4;
/// Instructions of a loop's body above which unrolling is left to others.
constexpr unsigned maxUnrolledBody = 48;

/// Values of an item that such a loop carries, above which an iteration loads and stores more than it computes: strips
/// of items (vectorise/outer_loop.h) take the loop, whose values are in registers then.
constexpr unsigned maxCarriedValues = 4;

/// Regions above which no further cut is looked for, for the sake of compile time.
constexpr std::size_t maxRegions = 24;
/// Blocks in a row, behind a split, that are searched for a choice.
constexpr unsigned maxSteps = 8;

/// Memory that vectorises: the same for all items, or neighbours for neighbours.
bool isConsecutive(const llvm::Instruction& access, const GroupUniformity& uniformity) {
  if (access.isAtomic() || access.isVolatile()) return false;
  const std::optional<std::int64_t> stride = itemStride(*llvm::getLoadStorePointerOperand(&access), uniformity);
  const llvm::DataLayout& layout = access.getDataLayout();
  const std::uint64_t size = layout.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
  if (!stride) return false;
  return *stride == static_cast<std::int64_t>(size) || (*stride == 0 && llvm::isa<llvm::LoadInst>(access));
}

/// Where `instruction` reads or writes; null if it is no access of one place.
const llvm::Value* accessedPlace(const llvm::Instruction& instruction) {
  if (const auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return change->getPointerOperand();
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return llvm::getLoadStorePointerOperand(&instruction);
}

bool vectorises(const llvm::Instruction& instruction, const GroupUniformity& uniformity) {
  if (llvm::getLoadStorePointerOperand(&instruction)) return isConsecutive(instruction, uniformity);
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    return llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID()) || llvm::isa<llvm::AssumeInst>(intrinsic);
  }
  return !llvm::isa<llvm::CallBase>(instruction) && !instruction.mayReadOrWriteMemory();
}

/// Whether `loop` pays as a loop around the item loop: innermost, counted alike by all items, its body fit for vectors.
bool isWorthInterchange(const llvm::Loop& loop, llvm::ArrayRef<SplitPoint> splits, const GroupUniformity& uniformity,
                        const llvm::Value& shared) {
  if (!loop.isInnermost() || !loop.isLoopSimplifyForm() || !loop.getExitBlock()) return false;
  const llvm::BasicBlock* const latch = loop.getLoopLatch();
  if (loop.getExitingBlock() != latch || uniformity.branchDiverges(*latch)) return false;
  return suitsItemLoop(loop, splits, uniformity, shared);
}

class Splitter {
 public:
  Splitter(llvm::Function& function, const llvm::Value& shared, unsigned subgroupSize, std::vector<SplitPoint>& splits)
      : function_(function), shared_(shared), subgroupSize_(subgroupSize), splits_(splits) {}

  void run() {
    for (llvm::BasicBlock* header : candidates()) turn(*header);
    splitLeadingBranch(function_.getEntryBlock());
    for (std::size_t i = 0; i < splits_.size() && i < maxRegions; ++i) splitLeadingBranch(*splits_[i].entry);  // grows
  }

 private:
  /// Headers of loops that pay, unrolled where that is cheap.
  std::vector<llvm::BasicBlock*> candidates() {
    const KernelFlow flow(function_, splits_);
    const GroupUniformity& uniformity = flow.uniformity();
    llvm::DominatorTree dominators(function_);
    llvm::LoopInfo loops(dominators);
    llvm::AssumptionCache assumptions(function_);
    llvm::TargetLibraryInfoImpl libraryNames(function_.getParent()->getTargetTriple());
    llvm::TargetLibraryInfo library(libraryNames);
    llvm::ScalarEvolution evolution(function_, library, assumptions, dominators, loops);
    const llvm::TargetTransformInfo costs(function_.getDataLayout());
    std::vector<llvm::BasicBlock*> headers;
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      std::size_t size = 0;
      for (const llvm::BasicBlock* block : loop->blocks()) size += block->size();
      if (size > maxUnrolledBody && isForStrips(*loop, uniformity)) {
        ofStrips_.insert(loop->getHeader());
        continue;
      }
      if (!isWorthInterchange(*loop, splits_, uniformity, shared_)) continue;
      headers.push_back(loop->getHeader());
      if (size > maxUnrolledBody) continue;
      llvm::UnrollLoopOptions options{};
      options.Count = iterationsTogether;
      options.Runtime = true;
      options.AllowExpensiveTripCount = true;
      llvm::Loop* remainder = nullptr;
      llvm::formLCSSARecursively(*loop, dominators, &loops, &evolution);  // what UnrollLoop() rewrites by
      llvm::UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &costs, nullptr, true, &remainder);
      if (remainder) headers.push_back(remainder->getHeader());
    }
    return headers;
  }

  bool isForStrips(const llvm::Loop& loop, const GroupUniformity& uniformity) const {
    if (!loop.isInnermost()) return false;
    if (llvm::any_of(splits_, [&](const SplitPoint& split) { return loop.contains(split.entry); })) return false;
    auto phis = loop.getHeader()->phis();
    return llvm::count_if(phis, [&](const llvm::PHINode& phi) { return !uniformity.isUniform(phi); }) >
           maxCarriedValues;
  }

  void turn(llvm::BasicBlock& header) {
    llvm::DominatorTree dominators(function_);
    llvm::LoopInfo loops(dominators);
    const llvm::Loop* const loop = loops.getLoopFor(&header);
    if (!loop || loop->getHeader() != &header || !loop->getExitBlock()) return;
    trySplits({&header, loop->getExitBlock()}, maxCarriedBytes);
  }

  /// A region that begins with a choice which all items make alike is better cut there: the choice is then made once
  /// for the group, and each side can have an item loop of its own.
  void splitLeadingBranch(llvm::BasicBlock& entry) {
    const KernelFlow flow(function_, splits_);
    llvm::BasicBlock* block = &entry;
    for (unsigned steps = 0; block && steps < maxSteps; ++steps, block = block->getSingleSuccessor()) {
      if (hasEffects(*block) || (block != &entry && isEntry(*block))) return;
      const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (!branch || branch->isUnconditional()) continue;
      if (llvm::any_of(llvm::successors(block), [&](const llvm::BasicBlock* next) { return ofStrips_.contains(next); }))
        return;
      if (!flow.uniformity().branchDiverges(*block)) trySplits({branch->getSuccessor(0), branch->getSuccessor(1)}, 0);
      return;
    }
  }

  /// Splits at the blocks' beginnings, unless items would pass there at different times or carry more than `bytes`
  /// over.
  void trySplits(std::initializer_list<llvm::BasicBlock*> blocks, std::uint64_t bytes) {
    const std::size_t before = splits_.size();
    const std::uint64_t bytesBefore = contextBytes();
    for (llvm::BasicBlock* block : blocks) addSplit(*block);
    const KernelFlow flow(function_, splits_);
    const bool alike = llvm::all_of(flow.graph().regions(), [&](const Region& region) {
      const bool leadsHere = llvm::any_of(region.next, [&](unsigned next) { return next > before; });
      return !leadsHere || region.agrees || region.onlyReturnsDiverge;
    });
    if (!alike || LiveAcrossBarriers(function_, flow.graph(), flow.uniformity(), subgroupSize_).contextBytes() >
                      bytesBefore + bytes) {
      splits_.resize(before);
    }
  }

  std::uint64_t contextBytes() const {
    const KernelFlow flow(function_, splits_);
    return LiveAcrossBarriers(function_, flow.graph(), flow.uniformity(), subgroupSize_).contextBytes();
  }

  void addSplit(llvm::BasicBlock& block) {
    const llvm::BasicBlock* const next = block.getSingleSuccessor();
    const bool isSplit =
        isEntry(block) || (next && isEntry(*next) && block.getFirstNonPHIIt() == block.getTerminator()->getIterator());
    if (!isSplit) splits_.push_back({llvm::SplitBlock(&block, block.getFirstNonPHIIt()), SplitKind::speed});
  }

  bool isEntry(const llvm::BasicBlock& block) const {
    return llvm::any_of(splits_, [&](const SplitPoint& split) { return split.entry == &block; });
  }

  llvm::Function& function_;
  const llvm::Value& shared_;
  unsigned subgroupSize_;
  std::vector<SplitPoint>& splits_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 4> ofStrips_;  ///< heads of loops that stay in item loops
};

/// Orders splits so that one which items can pass later, within an iteration of every loop that both are in, comes
/// earlier. A split has one predecessor and is therefore never a loop's head, which that order puts behind its loop.
void sortLastFirst(llvm::MutableArrayRef<SplitPoint> splits, llvm::Function& function) {
  if (splits.size() < 2) return;
  llvm::CycleInfo cycles;
  cycles.compute(function);
  const llvm::SSAContext context(&function);
  llvm::ModifiedPostOrder<llvm::SSAContext> order(context);
  order.compute(cycles);
  const auto place = [&](const SplitPoint& split) {
    return order.count(split.entry) ? order.getIndex(split.entry) : 0;
  };
  llvm::stable_sort(splits, [&](const SplitPoint& a, const SplitPoint& b) { return place(a) < place(b); });
}

/// Behind a split, the set of items that passed it together.
llvm::Instruction* makeConverged(const llvm::CallInst& barrier, llvm::BasicBlock& after) {
  llvm::IRBuilder<> builder(&after, after.begin());
  builder.SetCurrentDebugLocation(barrier.getDebugLoc());
  const llvm::FunctionCallee met = after.getModule()->getOrInsertFunction(
      runtimeEntry(RuntimeId::subgroup_converged).symbol,
      llvm::FunctionType::get(barrier.getType(), {barrier.getArgOperand(0)->getType()}, false));
  return builder.CreateCall(met, {barrier.getArgOperand(0)}, "met");
}

}  // namespace

bool suitsItemLoop(const llvm::Loop& loop, llvm::ArrayRef<SplitPoint> splits, const GroupUniformity& uniformity,
                   const llvm::Value& shared) {
  bool usesItems = false, vectors = true, walks = false;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    if (llvm::any_of(splits, [&](const SplitPoint& split) { return split.entry == block; })) return false;
    for (const llvm::Instruction& instruction : *block) {
      usesItems |= !uniformity.isUniform(instruction);
      const bool fits = vectorises(instruction, uniformity);
      const llvm::Value* const memory = accessedPlace(instruction);
      if (memory && pointsInto(*memory, shared) && !instruction.isVolatile()) {
        vectors &= fits;
      } else if (!fits) {
        return false;
      } else if (memory) {
        walks |= !uniformity.isUniform(*memory);
      }
    }
  }
  return usesItems && (vectors || walks);
}

std::vector<SplitPoint> splitAtBarriers(llvm::Function& function) {
  // Where nothing says who may go on, those at the greatest split do (schedule.h): of items of one subgroup that have
  // parted those that are behind, until they meet the others again.
  std::vector<llvm::CallInst*> barriers;
  std::size_t ofGroup = 0;
  for (const auto& isBarrier : {isGroupBarrier, isSubgroupBarrier}) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (isBarrier(instruction)) barriers.push_back(llvm::cast<llvm::CallInst>(&instruction));
    }
    if (isBarrier == isGroupBarrier) ofGroup = barriers.size();
  }
  std::vector<SplitPoint> splits;
  for (llvm::CallInst* barrier : barriers) {
    llvm::BasicBlock* const before = barrier->getParent();
    llvm::BasicBlock* const after = llvm::SplitBlock(before, std::next(barrier->getIterator()));
    after->setName("after.barrier");
    const bool ofSubgroup = splits.size() >= ofGroup;
    if (!barrier->use_empty()) barrier->replaceAllUsesWith(makeConverged(*barrier, *after));
    if (!ofSubgroup) barrier->eraseFromParent();
    splits.push_back({after, ofSubgroup ? SplitKind::subgroup : SplitKind::group});
  }
  sortLastFirst(llvm::MutableArrayRef(splits).drop_front(ofGroup), function);
  return splits;
}

void removeSubgroupBarriers(llvm::ArrayRef<SplitPoint> splits) {
  for (const SplitPoint& split : splits) {
    if (split.kind != SplitKind::subgroup) continue;
    split.entry->getSinglePredecessor()->getTerminator()->getPrevNode()->eraseFromParent();
  }
}

void addProfitableSplits(llvm::Function& function, const llvm::Value& shared, unsigned subgroupSize,
                         std::vector<SplitPoint>& splits) {
  Splitter(function, shared, subgroupSize, splits).run();
}

}  // namespace lathe::detail
