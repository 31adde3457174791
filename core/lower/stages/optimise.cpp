// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage optimise: what follows simplification in the target machine's pipeline at the job's level. Where each item runs
// a kernel by itself, loops are unrolled by the descriptor's limits, if it has any.
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include "core/lower/passes/loops/asked_unrolling.h"
#include "core/lower/passes/loops/unroll_loops.h"
#include "core/lower/passes/passes.h"
#include "core/lower/stages.h"

namespace lathe::detail {
namespace {

/// True if the machine has registers for vectors of a type that the function computes with. LLVM's vectoriser of
/// straight code tries all sums before it asks, which is a twentieth of a compile.
bool hasVectorRegisters(const llvm::Function& function, const llvm::TargetMachine& machine) {
  const llvm::TargetTransformInfo info = machine.getTargetTransformInfo(function);
  // A machine without types for its registers tells nothing.
  if (!info.isTypeLegal(llvm::Type::getInt32Ty(function.getContext()))) return true;
  llvm::SmallPtrSet<llvm::Type*, 16> seen;
  const auto isVector = [&](llvm::Type* type) {
    type = type->getScalarType();
    if (!llvm::VectorType::isValidElementType(type) || !seen.insert(type).second) return false;
    return info.isTypeLegal(llvm::FixedVectorType::get(type, 2)) ||
           info.isTypeLegal(llvm::FixedVectorType::get(type, 4));
  };
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    return isVector(instruction.getType()) || llvm::any_of(instruction.operand_values(), [&](const llvm::Value* value) {
             return isVector(value->getType());
           });
  });
}

}  // namespace

llvm::Error stage::optimise(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/true);
  pipeline.optimise(Pipeline::Part::afterSimplification);
  return llvm::Error::success();
}

llvm::Error stage::optimiseItems(Lowering& lowering) {
  const UnrollLimits& limits = lowering.descriptor.codegen.unroll;
  llvm::PipelineTuningOptions tuning = Pipeline::tuning(/*vectorise=*/true);
  tuning.SLPVectorization = !lowering.machine || llvm::any_of(*lowering.module, [&](const llvm::Function& function) {
    return !function.isDeclaration() && hasVectorRegisters(function, *lowering.machine);
  });
  tuning.LoopUnrolling = limits.count == 0;  // else LLVM's unroller only does what the source asks for
  Pipeline pipeline(lowering, tuning);
  if (limits.count > 0) {
    pipeline.builder().registerVectorizerStartEPCallback(
        [&limits, &lowering](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
          passes.addPass(GiveDefaults());
          passes.addPass(llvm::LoopSimplifyPass());
          passes.addPass(llvm::LCSSAPass());
          passes.addPass(llvm::createFunctionToLoopPassAdaptor(LimitAskedUnrolling()));
          passes.addPass(UnrollLoops(limits, lowering.hooks));
        });
  }
  pipeline.optimise(Pipeline::Part::afterSimplification);
  return llvm::Error::success();
}

}  // namespace lathe::detail
