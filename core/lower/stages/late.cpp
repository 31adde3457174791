// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages late_libraries and late: mathematics that the optimiser made, libraries again for it, dead code; then
// constructs that the target lacks (expand.cpp), and the debug information that nobody asked for.
#include "llvm/CodeGen/ExpandMemCmp.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"

#include "core/abi/math.h"
#include "core/lower/abi/print.h"
#include "core/lower/legalize/legalize.h"
#include "core/lower/math/math.h"
#include "core/lower/math/vector_domains.h"
#include "core/lower/passes/passes.h"
#include "core/lower/stages.h"
#include "core/lower/stages/libraries.h"

namespace lathe::detail {

llvm::Error stage::lateLibraries(Lowering& lowering) {
  const bool isMade = lowerMath(lowering);
  const bool isInVectors = llvm::any_of(*lowering.module, [](const llvm::Function& function) {
    return function.getName().starts_with(vectorMathPrefix);
  });
  if (isMade || isInVectors) {
    if (auto error = linkLibraries(lowering)) return error;
  }
  guardVectorMath(*lowering.module);
  Pipeline pipeline(lowering, /*vectorise=*/false);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  passes.addPass(llvm::GlobalDCEPass());
  // Sine and cosine of one number have most in common.
  if (isInVectors) passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::EarlyCSEPass()));
  pipeline.run(std::move(passes));
  return llvm::Error::success();
}

llvm::Error stage::late(Lowering& lowering) {
  lowerPrint(lowering);
  const llvm::Module& module = *lowering.module;
  if (!lowering.descriptor.codegen.libraryCalls && (module.getFunction("memcmp") || module.getFunction("bcmp"))) {
    // Comparisons of few bytes become loads, as the code generator does it later, where it is too late for validation.
    llvm::FunctionPassManager comparisons;
    comparisons.addPass(llvm::ExpandMemCmpPass(*lowering.machine));
    Pipeline(lowering, /*vectorise=*/false).run(std::move(comparisons));
  }
  legalizeConstructs(lowering);
  moveConstantData(lowering);
  if (!lowering.job.options.debugInfo && !lowering.descriptor.codegen.debugInfo) llvm::StripDebugInfo(*lowering.module);
  TargetContext context = lowering.targetContext();
  return lowering.hooks.afterLate(context);
}

}  // namespace lathe::detail
