// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On a GPU, unrolled code hides latency, and sources ask for it freely. Here a region's code is what one iteration of
// the item loop does: it is vectors already, every region has a copy of what it reaches, and a nest of 16 × 32
// iterations of a search becomes 60,000 instructions that compile for a minute. What unrolling is needed for, here as
// there, are arrays that an item indexes by the loop's counter: they become registers only if the counter is a
// constant.
#include "core/group/vectorise/unrolling.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include "core/group/analysis/device_calls.h"
#include "core/lower/calls.h"
#include "core/lower/passes/loops/loop_properties.h"
#include "core/lower/passes/loops/private_arrays.h"

namespace lathe::detail {
namespace {

/// Instructions that an unrolled loop may come to: half of what LLVM allows, and enough for the steps of a tiled matrix
/// product, whose sums are too many to be carried around an item loop.
constexpr std::uint64_t maxUnrolled = 8192;
/// Instructions that a loop with a barrier may come to in all copies of its function together: what LLVM unrolls one
/// loop to. Each barrier ends an item loop, which is vectorised by itself.
constexpr std::uint64_t maxUnrolledCopies = 300;
/// Copies that are not told apart; a recursive function has as many.
constexpr std::uint64_t manyCopies = 1U << 16U;
/// Turns assumed where they are not constant; LLVM unrolls such loops by a small factor.
constexpr std::uint64_t iterationsUnknown = 8;
/// Turns that are better unrolled, also where they may be the last one.
constexpr unsigned fewIterations = 8;

bool wantsUnrolling(const llvm::Loop& loop) {
  return llvm::getBooleanLoopAttribute(&loop, "llvm.loop.unroll.enable") ||
         llvm::getBooleanLoopAttribute(&loop, "llvm.loop.unroll.full") ||
         llvm::getOptionalIntLoopAttribute(&loop, "llvm.loop.unroll.count");
}

std::uint64_t iterationsOf(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (const std::optional<int> count = llvm::getOptionalIntLoopAttribute(&loop, "llvm.loop.unroll.count"))
    return static_cast<std::uint64_t>(std::max(*count, 1));
  const unsigned iterations = evolution.getSmallConstantTripCount(&loop);
  return iterations != 0 ? iterations : iterationsUnknown;
}

/// Whether items may leave the loop before its last turn, one after the other: a strip of them may take its iterations
/// together (outer_loop.h), but not the tests of an unrolled one.
bool isLeftEarly(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  return llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop)) &&
         evolution.getSmallConstantMaxTripCount(&loop) > fewIterations;
}

bool hasBarrier(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(),
                      [](const llvm::BasicBlock* block) { return llvm::any_of(*block, isGroupBarrier); });
}

}  // namespace

InlinedCopies::InlinedCopies(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) count(function);
  }
}

std::uint64_t InlinedCopies::count(llvm::Function& function) {
  if (const auto [known, isNew] = counts_.try_emplace(function.getName(), manyCopies); !isNew) return known->second;
  std::uint64_t copies = 0;
  forEachCall(function, [&](llvm::CallInst& call) { copies += count(*call.getFunction()); });
  return counts_[function.getName()] = std::clamp<std::uint64_t>(copies, 1, manyCopies);
}

std::uint64_t InlinedCopies::of(const llvm::Function& function) const {
  const auto known = counts_.find(function.getName());
  return known == counts_.end() ? 1 : known->second;
}

llvm::PreservedAnalyses UnrollLimitPass::run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                                             llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater&) {
  std::uint64_t copies = copies_ ? copies_->of(*loop.getHeader()->getParent()) : 1;
  if (copies > 1 && !hasBarrier(loop)) copies = 1;
  const bool wanted = wantsUnrolling(loop);
  const bool leftEarly = !wanted && isLeftEarly(loop, results.SE);
  if (!wanted && !leftEarly && (copies == 1 || results.SE.getSmallConstantTripCount(&loop) == 0))
    return llvm::PreservedAnalyses::all();
  std::uint64_t size = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) size += block->size();
  const std::uint64_t most = wanted ? maxUnrolled : maxUnrolledCopies;
  const bool isSmall = !leftEarly && size * iterationsOf(loop, results.SE) * copies <= most;
  if (isSmall || privateBytesIndexed(loop, results.SE) != 0) return llvm::PreservedAnalyses::all();
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  llvm::MDNode* const rolled = loopProperty(context, "llvm.loop.unroll.disable");
  loop.setLoopID(llvm::makePostTransformationMetadata(context, loop.getLoopID(), {"llvm.loop.unroll."}, {rolled}));
  return llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
