// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that the source wants unrolled as a whole.
#include "core/lower/passes/loops/asked_unrolling.h"

#include <algorithm>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include "core/lower/passes/loops/loop_properties.h"
#include "core/lower/passes/loops/private_arrays.h"

namespace lathe::detail {
namespace {

/// What a loop may become, as LLVM's unroller has it (`pragma-unroll-threshold`).
constexpr std::uint64_t maxUnrolled = 16 * 1024;

/// What LLVM's unroller counts for an instruction.
std::uint64_t costOf(const llvm::Instruction& instruction, const llvm::TargetTransformInfo& costs) {
  const llvm::InstructionCost cost = costs.getInstructionCost(&instruction, llvm::TargetTransformInfo::TCK_CodeSize);
  return cost.isValid() ? static_cast<std::uint64_t>(cost.getValue()) : 1;
}

/// The values that an instruction of the machine takes and gives, or `cost` for any other.
std::uint64_t sizeOf(const llvm::Instruction& instruction, std::uint64_t cost) {
  const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || !llvm::Intrinsic::isTargetIntrinsic(call->getIntrinsicID())) return cost;
  const auto* const results = llvm::dyn_cast<llvm::StructType>(call->getType());
  return std::max<std::uint64_t>(cost, call->arg_size() + (results ? results->getNumElements() : 0));
}

}  // namespace

llvm::PreservedAnalyses LimitAskedUnrolling::run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                                                 llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater&) {
  const auto all = llvm::PreservedAnalyses::all();
  // Clang's word for `#pragma unroll` without a number is "enable".
  if (!llvm::getBooleanLoopAttribute(&loop, "llvm.loop.unroll.enable") &&
      !llvm::getBooleanLoopAttribute(&loop, "llvm.loop.unroll.full"))
    return all;
  const unsigned iterations = results.SE.getSmallConstantTripCount(&loop);
  std::uint64_t cost = 0, size = 0;
  for (const llvm::BasicBlock* const block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      const std::uint64_t alone = costOf(instruction, results.TTI);
      cost += alone;
      size += sizeOf(instruction, alone);
    }
  }
  // A loop that LLVM finds too large now has fewer instructions when it gets there again.
  if (iterations == 0 || cost * iterations > maxUnrolled || size * iterations <= maxUnrolled ||
      privateBytesIndexed(loop, results.SE) != 0)
    return all;
  unsigned count = static_cast<unsigned>(std::max<std::uint64_t>(maxUnrolled / size, 1));
  while (iterations % count != 0) --count;
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  llvm::MDNode* const asked =
      loopProperty(context, "llvm.loop.unroll.count", *llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), count));
  loop.setLoopID(llvm::makePostTransformationMetadata(context, loop.getLoopID(), {"llvm.loop.unroll."}, {asked}));
  return all;
}

}  // namespace lathe::detail
