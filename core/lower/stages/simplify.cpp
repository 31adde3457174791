// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage simplify: LLVM's simplification pipeline (inlining, SROA, GVN, LICM, address-space inference) without the
// vectorisers and the run-time unroller, whose decisions need the final shape of loops. Where each item runs a kernel
// by itself, loops over its arrays are unrolled, as registers have no index.
#include <mutex>

#include "llvm/Transforms/Scalar/LoopPassManager.h"

#include "core/lower/local_objects.h"
#include "core/lower/passes/byval_parameters.h"
#include "core/lower/passes/choices/bits_of_indices.h"
#include "core/lower/passes/choices/copies_of_choices.h"
#include "core/lower/passes/choices/exchanges.h"
#include "core/lower/passes/choices/loads_of_choices.h"
#include "core/lower/passes/choices/offsets_of_choices.h"
#include "core/lower/passes/choices/sums_of_choices.h"
#include "core/lower/passes/equal_phis.h"
#include "core/lower/passes/loops/asked_unrolling.h"
#include "core/lower/passes/loops/private_arrays.h"
#include "core/lower/passes/offsets_last.h"
#include "core/lower/passes/passes.h"
#include "core/lower/stages.h"

namespace lathe::detail {
namespace {

/// The target machine's own passes, which it wants before anything is simplified.
void runFirst(Pipeline& pipeline, const Lowering& lowering) {
  if (pipeline.level() == llvm::OptimizationLevel::O0) return;
  llvm::ModulePassManager passes;
  pipeline.builder().invokePipelineStartEPCallbacks(passes, pipeline.level());
  static std::mutex one;
  std::unique_lock lock(one, std::defer_lock);
  if (lowering.descriptor.codegen.startsAlone) lock.lock();
  pipeline.run(std::move(passes));
}

llvm::Error simplifyWith(Pipeline& pipeline, const Lowering& lowering) {
  runFirst(pipeline, lowering);
  pipeline.simplify(llvm::ModulePassManager());
  return llvm::Error::success();
}

/// Takes from square roots that they may be computed in vain. LLVM's cost models count one as one instruction and move
/// it in front of the branch that guards it; where items run by themselves, a correctly rounded root is a dozen
/// instructions and a branch. (Divisions, as dear, count four.) Only the declaration says that a call of an intrinsic
/// may be moved so; nothing sets it again.
void keepRootsBehindBranches(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.getIntrinsicID() == llvm::Intrinsic::sqrt) function.removeFnAttr(llvm::Attribute::Speculatable);
  }
}

/// The only call of `function`, or null if it has other uses or none.
const llvm::CallBase* onlyCall(const llvm::Function& function) {
  if (!function.hasLocalLinkage() || !function.hasOneUse()) return nullptr;
  const auto* const call = llvm::dyn_cast<llvm::CallBase>(*function.user_begin());
  return call && call->getCalledFunction() == &function ? call : nullptr;
}

/// Makes every function with one call part of its caller, whatever its size: that makes no code larger, and what the
/// call passes becomes known. LLVM's inliner, which goes from the callees up, leaves one alone that has grown too
/// large, with the structures that it is given in memory.
void inlineOnlyCalls(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(llvm::Attribute::NoInline) ||
        function.hasFnAttribute(llvm::Attribute::OptimizeNone))
      continue;
    // Up to a function that others call too, or nobody: those that only call each other never get there.
    llvm::SmallPtrSet<const llvm::Function*, 8> seen;
    const llvm::Function* caller = &function;
    const llvm::CallBase* call = onlyCall(function);
    const bool isOnly = call && !call->isNoInline();
    for (; call && seen.insert(caller).second; call = onlyCall(*caller)) caller = call->getFunction();
    if (isOnly && !call) function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

}  // namespace

llvm::Error stage::simplify(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/false);
  return simplifyWith(pipeline, lowering);
}

llvm::Error stage::simplifyItems(Lowering& lowering) {
  if (const Options& options = lowering.job.options; !options.fastMath && !options.approximateMath)
    keepRootsBehindBranches(*lowering.module);
  if (lowering.job.options.optLevel >= OptLevel::O2) inlineOnlyCalls(*lowering.module);
  Pipeline pipeline(lowering, /*vectorise=*/false);
  if (lowering.job.options.optLevel >= OptLevel::O2) inlineWithLocalObjects(pipeline.builder());
  pipeline.builder().registerLateLoopOptimizationsEPCallback([](llvm::LoopPassManager& loops, llvm::OptimizationLevel) {
    loops.addPass(LimitAskedUnrolling());
    // An array that stays in memory is written and read by each item of each turn of the loops around.
    loops.addPass(UnrollPrivateArrays(/*most=*/4096));
  });
  pipeline.builder().registerPeepholeEPCallback([](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(PlaceByvalParameters());
    passes.addPass(OffsetsOfChoices());
    passes.addPass(LoadsOfChoices());
    passes.addPass(CopiesOfChoices());
    passes.addPass(BitsOfIndices());
    passes.addPass(SumsOfChoices());
  });
  pipeline.builder().registerScalarOptimizerLateEPCallback(
      [recomputes = lowering.descriptor.codegen.recomputesPhis](llvm::FunctionPassManager& passes,
                                                                llvm::OptimizationLevel) {
        passes.addPass(Exchanges());
        passes.addPass(OffsetsLast());
        if (recomputes) passes.addPass(ComputeEqualPhis());
      });
  return simplifyWith(pipeline, lowering);
}

}  // namespace lathe::detail
