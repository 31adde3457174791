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
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include "core/lower/passes/private_arrays.h"

namespace lathe::detail {
namespace {

/// Instructions that an unrolled loop may come to: half of what LLVM allows, and enough for the steps of a tiled matrix
/// product, whose sums are too many to be carried around an item loop.
constexpr std::uint64_t maxUnrolled = 8192;
/// Turns assumed where they are not constant; LLVM unrolls such loops by a small factor.
constexpr std::uint64_t iterationsUnknown = 8;

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

}  // namespace

llvm::PreservedAnalyses UnrollLimitPass::run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                                             llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater&) {
  if (!wantsUnrolling(loop)) return llvm::PreservedAnalyses::all();
  std::uint64_t size = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) size += block->size();
  if (size * iterationsOf(loop, results.SE) <= maxUnrolled || indexesPrivateArray(loop, results.SE))
    return llvm::PreservedAnalyses::all();
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  llvm::MDNode* const rolled = llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"));
  loop.setLoopID(llvm::makePostTransformationMetadata(context, loop.getLoopID(), {"llvm.loop.unroll."}, {rolled}));
  return llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
