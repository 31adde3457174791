// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unrolling of loops by the descriptor's limits.
#include "core/lower/passes/loops/unroll_loops.h"

#include <algorithm>
#include <vector>

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

namespace lathe::detail {
namespace {

/// What a loop's counter and branch cost, which unrolled iterations share.
constexpr unsigned loopOverhead = 2;
/// What the number of iterations may cost to compute before the loop, as LLVM counts; a division is within it, where
/// it pays.
constexpr unsigned expansionBudget = 100;
/// Instructions behind a branch, the next branch among them, that are executed under a predicate without a jump.
constexpr unsigned predicated = 8;

bool cannotBeReached(const llvm::BasicBlock& block) {
  return llvm::isa<llvm::UnreachableInst>(block.getFirstNonPHIOrDbg());
}

/// How a loop is unrolled: `count` iterations become one, with a loop for the rest if `hasRest`. Nothing: `count` < 2.
struct Plan {
  unsigned count = 1;
  bool hasRest = false;
};

class LoopPlanner {
 public:
  LoopPlanner(const UnrollLimits& limits, const TargetHooks& hooks, llvm::Function& function,
              llvm::FunctionAnalysisManager& analyses)
      : limits_(limits),
        hooks_(hooks),
        function_(function),
        analyses_(analyses),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        costs_(analyses.getResult<llvm::TargetIRAnalysis>(function)) {}

  Plan planFor(const llvm::Loop& loop) {
    if (llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified || !loop.isLoopSimplifyForm()) return {};
    llvm::SmallPtrSet<const llvm::Value*, 8> ephemeral;
    llvm::CodeMetrics::collectEphemeralValues(&loop, &analyses_.getResult<llvm::AssumptionAnalysis>(function_),
                                              ephemeral);
    const llvm::UnrollCostEstimator estimate(&loop, costs_, ephemeral, loopOverhead);
    if (!estimate.canUnroll() || estimate.NumInlineCandidates > 0) return {};
    const std::uint64_t size = sizeOf(loop, ephemeral);
    const unsigned iterations = evolution_.getSmallConstantTripCount(&loop);
    if (iterations > 0 && size * iterations <= limits_.full) return {.count = iterations};
    const auto fitting = static_cast<unsigned>(limits_.partial / size);
    if (const unsigned divisor = largestDivisor(evolution_.getSmallConstantTripMultiple(&loop), fitting);
        iterations > 0 && divisor >= std::min(limits_.count, fitting))
      return {.count = divisor};
    const unsigned count = fitting >= limits_.count ? limits_.count : fitting >= 2 ? 2 : 1;
    // A rest is entered by the items that are not through yet: what all items of a subgroup do together, they must
    // still do together.
    const bool together = estimate.Convergence == llvm::ConvergenceKind::None || leavesTogether(loop);
    if (count < 2 || !together || loop.getExitingBlock() != loop.getLoopLatch()) return {};
    if (countDivides(loop) && !loadsMeet(loop)) return {};
    return {.count = count, .hasRest = true};
  }

 private:
  /// True if the number of iterations takes a division by a number that is not known, as where each item takes every
  /// n-th element: it costs as much as several iterations of a small loop, which often has one or two.
  bool countDivides(const llvm::Loop& loop) {
    return llvm::SCEVExprContains(evolution_.getBackedgeTakenCount(&loop), [](const llvm::SCEV* part) {
      const auto* const division = llvm::dyn_cast<llvm::SCEVUDivExpr>(part);
      return division && !llvm::isa<llvm::SCEVConstant>(division->getRHS());
    });
  }

  /// True if the loads of several iterations can be issued together: no branch of the body stays one, and no store of
  /// an iteration may write what a load of the next one reads. Nothing else that unrolling gains is worth a division.
  bool loadsMeet(const llvm::Loop& loop) {
    const auto& dominators = analyses_.getResult<llvm::DominatorTreeAnalysis>(function_);
    llvm::SmallVector<llvm::MemoryLocation, 8> read;
    llvm::SmallVector<const llvm::Instruction*, 8> writing;
    for (const llvm::BasicBlock* const block : loop.blocks()) {
      if (!dominators.dominates(block, loop.getLoopLatch()) && !canBePredicated(*block)) return false;
      for (const llvm::Instruction& instruction : *block) {
        if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isUnordered())
          read.push_back(llvm::MemoryLocation::get(load));
        else if (instruction.mayWriteToMemory())
          writing.push_back(&instruction);
      }
    }
    llvm::BatchAAResults aliases(analyses_.getResult<llvm::AAManager>(function_));
    aliases.enableCrossIterationMode();
    return llvm::any_of(read, [&](const llvm::MemoryLocation& location) {
      return llvm::none_of(writing, [&](const llvm::Instruction* instruction) {
        return !llvm::isa<llvm::StoreInst>(instruction) || isModSet(aliases.getModRefInfo(instruction, location));
      });
    });
  }

  /// True for the few instructions behind a branch that an assembler makes conditional instead, as a load within
  /// bounds.
  static bool canBePredicated(const llvm::BasicBlock& block) {
    return block.getUniqueSuccessor() && block.sizeWithoutDebug() <= predicated &&
           llvm::none_of(block, [](const llvm::Instruction& instruction) {
             return instruction.mayWriteToMemory() || instruction.isIntDivRem() ||
                    llvm::isa<llvm::CallBase>(instruction) || instruction.getOpcode() == llvm::Instruction::FDiv;
           });
  }

  /// The loop's instructions without its own counter and branch. LLVM's estimate takes a target's intrinsics for calls.
  std::uint64_t sizeOf(const llvm::Loop& loop, const llvm::SmallPtrSetImpl<const llvm::Value*>& ephemeral) const {
    llvm::InstructionCost size = 0;
    for (const llvm::BasicBlock* block : loop.blocks()) {
      for (const llvm::Instruction& instruction : *block) {
        if (ephemeral.contains(&instruction)) continue;
        const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        size += call && llvm::Intrinsic::isTargetIntrinsic(call->getIntrinsicID())
                    ? llvm::InstructionCost(1)
                    : costs_.getInstructionCost(&instruction, llvm::TargetTransformInfo::TCK_CodeSize);
      }
    }
    const auto whole = static_cast<std::uint64_t>(size.getValue());
    return std::max<std::uint64_t>(whole, loopOverhead + 1) - loopOverhead;
  }

  static unsigned largestDivisor(unsigned number, unsigned most) {
    for (unsigned divisor = std::min(number, most); divisor > 1; --divisor) {
      if (number % divisor == 0) return divisor;
    }
    return 1;
  }

  bool leavesTogether(const llvm::Loop& loop) {
    const llvm::BasicBlock* const exiting = loop.getExitingBlock();
    if (!exiting) return false;
    return !analyses_.getResult<llvm::UniformityInfoAnalysis>(function_).hasDivergentTerminator(*exiting) ||
           joinsEachIteration(loop, *exiting);
  }

  bool joinsEachIteration(const llvm::Loop& loop, const llvm::BasicBlock& exiting) {
    const auto& dominators = analyses_.getResult<llvm::DominatorTreeAnalysis>(function_);
    return llvm::any_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
      return dominators.dominates(block, &exiting) && llvm::any_of(*block, [&](const llvm::Instruction& instruction) {
               const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
               return call && call->isConvergent() && hooks_.joinsSubgroup(*call);
             });
    });
  }

  const UnrollLimits& limits_;
  const TargetHooks& hooks_;
  llvm::Function& function_;
  llvm::FunctionAnalysisManager& analyses_;
  llvm::ScalarEvolution& evolution_;
  const llvm::TargetTransformInfo& costs_;
};

}  // namespace

llvm::PreservedAnalyses GiveDefaults::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    auto* const choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
    if (!choice || choice->getNumCases() == 0 || !cannotBeReached(*choice->getDefaultDest())) continue;
    const auto last = std::prev(choice->case_end());
    choice->getDefaultDest()->removePredecessor(&block);
    choice->setDefaultDest(last->getCaseSuccessor());
    choice->removeCase(last);
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::removeUnreachableBlocks(function);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses UnrollLoops::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  // The plans are made before anything changes: what leaves a loop together is known of the function as it is.
  std::vector<std::pair<llvm::Loop*, Plan>> plans;
  LoopPlanner planner(limits_, *hooks_, function, analyses);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    if (const Plan plan = planner.planFor(*loop); plan.count > 1) plans.emplace_back(loop, plan);
  }
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto& assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
  auto& remarks = analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function);
  const auto& costs = analyses.getResult<llvm::TargetIRAnalysis>(function);
  bool changed = false;
  for (const auto& [loop, plan] : plans) {
    const llvm::UnrollLoopOptions options{.Count = plan.count,
                                          .Force = !plan.hasRest,  // a number that cannot be computed: no rest
                                          .Runtime = plan.hasRest,
                                          .AllowExpensiveTripCount = true,
                                          .UnrollRemainder = loop->getLoopDepth() > 1,
                                          .ForgetAllSCEV = true,
                                          .SCEVExpansionBudget = expansionBudget};
    changed |= llvm::UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &costs, &remarks,
                                /*PreserveLCSSA=*/true) != llvm::LoopUnrollResult::Unmodified;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
