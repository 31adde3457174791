// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's new pass manager, set up for one target machine.
#include "core/lower/passes/passes.h"

#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"

#include "core/abi/math.h"
#include "core/lower/calls.h"
#include "core/lower/device_libraries.h"
#include "core/lower/math/vector_math.h"
#include "core/lower/passes/bit_counts.h"
#include "core/lower/passes/convergence.h"
#include "core/lower/passes/inline_order.h"
#include "core/lower/passes/loops/narrow_inductions.h"
#include "core/lower/passes/single_elements.h"
#include "core/lower/passes/string_lengths.h"

namespace lathe::detail {
namespace {

/// Whether the pass called `name` may run on `unit`. CallSiteSplitting copies the instructions in front of a call into
/// the branches before it, and LLVM 22 asks only the call whether it is convergent: of
/// `if (item == 0) shared = 0; barrier(); f(item)` it makes two barriers, each of which some items reach.
bool mayRun(llvm::StringRef name, const llvm::Any& unit) {
  if (name != "CallSiteSplittingPass") return true;
  const auto* const function = llvm::any_cast<const llvm::Function*>(&unit);
  return !function || llvm::none_of(llvm::instructions(**function), [](const llvm::Instruction& instruction) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && call->isConvergent();
  });
}

}  // namespace

PassSetup::PassSetup(llvm::TargetMachine* machine, const llvm::PipelineTuningOptions& tuning)
    : builder_(machine, tuning) {
  callbacks_.registerShouldRunOptionalPassCallback(mayRun);
  const auto instrument = [this](auto& analyses) {
    analyses.registerPass([this] { return llvm::PassInstrumentationAnalysis(&callbacks_); });
  };
  instrument(loops_), instrument(functions_), instrument(components_), instrument(modules_);
}

void PassSetup::registerAnalyses() {
  builder_.registerModuleAnalyses(modules_);
  builder_.registerCGSCCAnalyses(components_);
  builder_.registerFunctionAnalyses(functions_);
  builder_.registerLoopAnalyses(loops_);
  builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
}

void PassSetup::endWith(std::stop_token stop) {
  callbacks_.registerShouldRunOptionalPassCallback(
      [stop = std::move(stop)](llvm::StringRef, llvm::Any) { return !stop.stop_requested(); });
}

llvm::PipelineTuningOptions Pipeline::tuning(bool vectorise) {
  llvm::PipelineTuningOptions out;
  out.LoopVectorization = vectorise;
  out.LoopInterleaving = vectorise;
  out.SLPVectorization = true;
  // Kernels are often one loop around hundreds: forgetting what is known of that one and of all within, once for each
  // loop that is unrolled, took half of the time of large ones. The code is the same.
  out.ForgetAllSCEVInLoopUnroll = true;
  return out;
}

llvm::OptimizationLevel Pipeline::level() const {
  const auto least = static_cast<OptLevel>(std::min(lowering_.descriptor.codegen.minOptLevel, 3U));
  switch (std::max(lowering_.job.options.optLevel, least)) {
    case OptLevel::O0:
      return llvm::OptimizationLevel::O0;
    case OptLevel::O1:
      return llvm::OptimizationLevel::O1;
    case OptLevel::O2:
      return llvm::OptimizationLevel::O2;
    case OptLevel::O3:
      break;
  }
  return llvm::OptimizationLevel::O3;
}

namespace {

/// Inlines functions of one block that must be inlined, such as those that read an item's position: each would go
/// through a dozen passes by itself before the inliner came.
void inlineWrappers(llvm::Module& module) {
  constexpr unsigned mostInstructions = 8;
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (function.size() != 1 || !function.hasFnAttribute(llvm::Attribute::AlwaysInline) ||
        function.getInstructionCount() > mostInstructions || !llvm::isInlineViable(function).isSuccess())
      continue;
    inlineIntoCallers(function);
    if (function.isDefTriviallyDead()) function.eraseFromParent();
  }
}

}  // namespace

void Pipeline::simplify(llvm::ModulePassManager first) {
  if (level() == llvm::OptimizationLevel::O0) {
    first.addPass(llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  } else {
    inlineWrappers(*lowering_.module);
    inlineLoopsLate(*lowering_.module, builder());
    // Equal calls merge before they are inlined, if it is known that they write nothing.
    first.addPass(DropConvergence());
    first.addPass(llvm::createModuleToPostOrderCGSCCPassAdaptor(llvm::PostOrderFunctionAttrsPass()));
    first.addPass(builder().buildModuleSimplificationPipeline(level(), llvm::ThinOrFullLTOPhase::None));
  }
  run(std::move(first));
}

void Pipeline::optimise(Part part) {
  // Last: what other passes do there first, the unrolling of loops, is to know such variables.
  builder().registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) { passes.addPass(HideNarrowInductions()); });
  if (level() == llvm::OptimizationLevel::O0)
    run(builder().buildO0DefaultPipeline(level()));
  else if (part == Part::all)
    run(builder().buildPerModuleDefaultPipeline(level()));
  else
    run(builder().buildModuleOptimizationPipeline(level(), llvm::ThinOrFullLTOPhase::None));
}

Pipeline::Pipeline(Lowering& lowering, const llvm::PipelineTuningOptions& tuning)
    : lowering_(lowering), setup_(lowering.machine.get(), tuning) {
  const llvm::Triple& triple = lowering.module->getTargetTriple();
  llvm::TargetLibraryInfoImpl library(triple);
  // Passes make calls of what a library has: calloc of malloc and memset, strlen of a loop.
  const bool haveMath = lowering.machine && mathLibrary(lowering) == nullptr;
  const llvm::TargetLibraryInfo assumed(library);
  for (unsigned i = 0; i < llvm::NumLibFuncs; ++i) {
    const auto function = static_cast<llvm::LibFunc>(i);
    // Where no pass may make calls (makeUniform() says so of each function), those of the source are what they seem.
    if (!assumed.has(function) || !lowering.descriptor.codegen.libraryCalls) continue;
    const std::string_view name = assumed.getName(function);
    if (!lowering.descriptor.hasExternal(name) && !(haveMath && findMath(name))) library.setUnavailable(function);
  }
  if (lowering.machine)
    addVectorMath(library, lowering.descriptor.codegen.vectorLibrary, *lowering.machine, *lowering.module);
  setup_.functions().registerPass([library = std::move(library)] { return llvm::TargetLibraryAnalysis(library); });
  if (lowering.stop.stop_possible()) setup_.endWith(lowering.stop);
  setup_.registerAnalyses();
  if (!lowering.descriptor.codegen.libraryCalls) {
    builder().registerPeepholeEPCallback(
        [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) { passes.addPass(StringLengths()); });
  }
  builder().registerPeepholeEPCallback(
      [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) { passes.addPass(SingleElements()); });
  builder().registerScalarOptimizerLateEPCallback(
      [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) { passes.addPass(BitCounts()); });
  // Where generic is not a memory of its own, accesses are faster through the space a pointer came from.
  if (lowering.machine && lowering.descriptor.addressSpaces.global != lowering.descriptor.addressSpaces.generic) {
    builder().registerCGSCCOptimizerLateEPCallback([](llvm::CGSCCPassManager& passes, llvm::OptimizationLevel) {
      passes.addPass(llvm::createCGSCCToFunctionPassAdaptor(llvm::InferAddressSpacesPass()));
    });
  }
}

}  // namespace lathe::detail
