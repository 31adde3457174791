// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage specialise: what the job fixes becomes constant. Queries fold at every optimisation level, so that a branch
// for another target never reaches this one's back end: a fixed mini-pipeline inlines the query wrappers, promotes,
// folds, propagates and removes dead branches.
//
//   before: %q = call i32 @__lathe_target_is(ptr @.str); br i1 …, label %theirs, label %ours
//   after:  br label %ours
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/SCCP.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include "core/abi/device_abi.h"
#include "core/lower/abi/device_abi.h"
#include "core/lower/abi/queries.h"
#include "core/lower/calls.h"
#include "core/lower/lowering.h"
#include "core/lower/passes/passes.h"
#include "core/lower/stages.h"
#include "core/lower/stages/promises.h"
#include "core/support/diagnostics.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

bool usesQueries(const llvm::Module& module) {
  return llvm::any_of(module, isQuery);
}

/// Inlines what asks a query, or gives an atomic an order that its caller names, and must be inlined; then what that
/// was inlined into, up to functions that need not be. All else stays as it is: LLVM simplifies functions before it
/// inlines them.
void inlineAskers(llvm::Module& module) {
  FunctionSet askers;
  for (llvm::Function& query : module) {
    if (!isQuery(query)) continue;
    for (llvm::CallBase* call : callsOf(query)) askers.insert(call->getFunction());
  }
  for (llvm::CallInst* call : openOrders(module)) askers.insert(call->getFunction());
  for (std::size_t i = 0; i < askers.size(); ++i) {
    llvm::Function& asker = *askers[i];
    if (!asker.hasFnAttribute(llvm::Attribute::AlwaysInline) || !llvm::isInlineViable(asker).isSuccess()) continue;
    for (llvm::Function* caller : inlineIntoCallers(asker)) askers.insert(caller);
  }
  for (llvm::Function* asker : askers) {
    if (asker->isDefTriviallyDead()) asker->eraseFromParent();
  }
}

/// What is inlined before the passes of the mini-pipeline; nothing: what queries became is propagated.
enum class Inlined { nothing, askers, all };

void runPasses(Lowering& lowering, Inlined inlined) {
  if (inlined == Inlined::askers) inlineAskers(*lowering.module);
  Pipeline pipeline(lowering, /*vectorise=*/false);
  llvm::ModulePassManager passes;
  if (inlined == Inlined::all) passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  functions.addPass(llvm::InstSimplifyPass());
  if (inlined == Inlined::nothing) functions.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  if (inlined == Inlined::nothing) {
    passes.addPass(llvm::IPSCCPPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::SimplifyCFGPass()));
  }
  pipeline.run(std::move(passes));
}

bool areAnswered(const Lowering& lowering) {
  return llvm::all_of(*lowering.module, [&](llvm::Function& function) {
    return !isQuery(function) || llvm::all_of(callsOf(function), [&](const llvm::CallBase* call) {
      return answerOf(*findAbiEntry(std::string_view(function.getName())), *call, lowering).has_value();
    });
  });
}

llvm::Error foldQueries(Lowering& lowering) {
  std::vector<Diagnostic> diagnostics;
  const auto unknown = [&](const AbiEntry& query, SourceLocation at) {
    diagnostics.push_back({.code = ErrorCode::PortableRule,
                           .message = "the argument of " + std::string(query.symbol) + " is not a constant",
                           .location = std::move(at),
                           .hint = "pass a literal, or mark the functions between as always_inline"});
  };
  for (llvm::Function& function : llvm::make_early_inc_range(*lowering.module)) {
    const AbiEntry* const query =
        function.isDeclaration() ? findAbiEntry(std::string_view(function.getName())) : nullptr;
    if (!query || query->lowering != AbiLowering::folded) continue;
    forEachCall(function, [&](llvm::CallInst& call) {
      const auto value = answerOf(*query, call, lowering);
      if (const std::string mistake = mistakeIn(*query, call); !mistake.empty()) {
        diagnostics.push_back(
            {.code = ErrorCode::PortableRule,
             .message = "the regular expression of " + std::string(query->symbol) + " has a mistake: " + mistake,
             .location = locationOf(call),
             .hint =
                 "behind the colon stands a POSIX extended regular expression for the whole name of an architecture"});
      }
      if (value) return replaceCall(call, *llvm::ConstantInt::get(call.getType(), *value));
      unknown(*query, locationOf(call));
    });
    // Anything but a call: an address that was taken.
    if (diagnostics.empty() && !function.use_empty()) unknown(*query, {});
    if (function.use_empty()) function.eraseFromParent();
  }
  if (!diagnostics.empty()) return toLlvm(combined(std::move(diagnostics), "specialise"));
  runPasses(lowering, Inlined::nothing);
  return llvm::Error::success();
}

/// Group sizes that every entry of the job shares are constants everywhere.
void foldGroupSize(Lowering& lowering) {
  if (lowering.info.entries.empty()) return;  // exported functions alone
  const auto& first = lowering.info.entries.front().bounds.groupSize;
  if (first[0] == 0) return;
  for (const EntryPoint& entry : lowering.info.entries) {
    if (entry.bounds.groupSize != first) return;
  }
  constexpr AbiId sizes[] = {AbiId::group_size_x, AbiId::group_size_y, AbiId::group_size_z};
  for (std::size_t i = 0; i < 3; ++i) {
    llvm::Function* const query = lowering.module->getFunction(abiEntry(sizes[i]).symbol);
    if (!query) continue;
    forEachCall(*query, [&](llvm::CallInst& call) {
      replaceCall(call, *llvm::ConstantInt::get(call.getType(), std::max(first[i], 1U)));
    });
  }
}

void applyFloatingPointOptions(llvm::Module& module, const Options& options) {
  if (!options.fastMath && !options.approximateMath && options.contract) return;
  for (llvm::Function& function : module) {
    if (options.fastMath && !function.isDeclaration()) {
      function.addFnAttr("no-nans-fp-math", "true");
      function.addFnAttr("no-infs-fp-math", "true");
      function.addFnAttr("no-signed-zeros-fp-math", "true");
    }
    // Code that it is inlined into keeps what is said of functions.
    if (function.hasFnAttribute(attribute::exact)) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (!llvm::isa<llvm::FPMathOperator>(instruction)) continue;
      llvm::FastMathFlags flags = instruction.getFastMathFlags();
      // The source may forbid it: `#pragma clang fp contract(off)`.
      const bool contracts = options.contract && flags.allowContract();
      if (options.fastMath) flags.setFast();
      if (options.approximateMath && instruction.getType()->getScalarType()->isFloatTy()) flags.setApproxFunc();
      flags.setAllowContract(contracts);
      instruction.copyFastMathFlags(flags);
    }
  }
}

}  // namespace

llvm::Error stage::specialise(Lowering& lowering) {
  if (auto error = applyPromises(lowering)) return error;
  foldGroupSize(lowering);
  applyFloatingPointOptions(*lowering.module, lowering.job.options);
  llvm::Module& module = *lowering.module;
  const bool asks = usesQueries(module);
  if (!asks && openOrders(module).empty()) return llvm::Error::success();
  // Orders and scopes that go through wrappers become the constants they are, and so do the arguments of queries.
  runPasses(lowering, Inlined::askers);
  // One may be what another function gives.
  if (!areAnswered(lowering) || !openOrders(module).empty()) runPasses(lowering, Inlined::all);
  return asks ? foldQueries(lowering) : llvm::Error::success();
}

}  // namespace lathe::detail
