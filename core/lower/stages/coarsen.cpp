// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage coarsen: a second function for each entry point that gains by it, whose items each serve several neighbouring
// groups. Runtimes launch it in place of the first where the grid is large (docs/coarsening.md).
//
//   before: define ptx_kernel void @scale(ptr %p, i32 %n)
//   after:  … and define ptx_kernel void @"scale$coarse4"(ptr %p, i32 %n, i32 %groups)
#include <bit>

#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

#include "core/job/emit_formats.h"
#include "core/lower/coarsen/item_work.h"
#include "core/lower/coarsen/jam.h"
#include "core/lower/lowering.h"
#include "core/lower/passes/passes.h"
#include "core/lower/stages.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// Most groups that a job may ask for: each is a copy of the kernel's code.
constexpr unsigned mostAsked = 16;

/// The intrinsic that an entry of the device ABI became; null where the module has none, or the target no intrinsic.
llvm::Function* intrinsicOf(const Lowering& lowering, const char* entry) {
  const auto found = lowering.descriptor.intrinsics.find(entry);
  return found == lowering.descriptor.intrinsics.end() ? nullptr : lowering.module->getFunction(found->second.name);
}

JamVocabulary vocabularyOf(const Lowering& lowering) {
  JamVocabulary out;
  out.groupId = intrinsicOf(lowering, "group_id_x");
  out.groupCount = intrinsicOf(lowering, "group_count_x");
  out.itemId = intrinsicOf(lowering, "item_id_x");
  out.groupBarrier = intrinsicOf(lowering, "group_barrier");
  const auto add = [&](auto& set, const std::string& entry) {
    if (const llvm::Function* const function = intrinsicOf(lowering, entry.c_str())) set.insert(function);
  };
  for (const char* entry : {"item_id_", "group_id_", "group_size_", "group_count_"})
    for (const char* axis : {"x", "y", "z"}) add(out.positions, std::string(entry) + axis);
  add(out.positions, "subgroup_item_id");
  for (const char* entry :
       {"group_barrier", "group_barrier_count", "group_barrier_and", "group_barrier_or", "subgroup_barrier"})
    add(out.barriers, entry);
  out.groupSpace = lowering.descriptor.addressSpaces.group;
  return out;
}

/// Lets instructions of `kernel` use the variables of groups directly. False if it uses one that has no size yet.
bool separateVariables(llvm::Function& kernel, unsigned groupSpace) {
  llvm::SmallVector<llvm::Constant*> variables;
  for (llvm::GlobalVariable& variable : kernel.getParent()->globals())
    if (variable.getAddressSpace() == groupSpace) variables.push_back(&variable);
  llvm::convertUsersOfConstantsToInstructions(variables, &kernel);
  return llvm::none_of(groupVariablesOf(kernel, groupSpace), [&](const llvm::GlobalVariable* variable) {
    return variable->isDeclaration() || kernel.getDataLayout().getTypeAllocSize(variable->getValueType()).isZero();
  });
}

/// A copy of the kernel with one more parameter, which has one return.
llvm::Function& cloneWithCount(llvm::Function& kernel, llvm::Type* count, const std::string& name,
                               llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<llvm::Type*> types(kernel.getFunctionType()->params());
  types.push_back(count);
  auto* const type = llvm::FunctionType::get(kernel.getReturnType(), types, /*isVarArg=*/false);
  auto* const made = llvm::Function::Create(type, kernel.getLinkage(), kernel.getAddressSpace(), name);
  kernel.getParent()->getFunctionList().insertAfter(kernel.getIterator(), made);
  llvm::ValueToValueMapTy map;
  for (llvm::Argument& argument : kernel.args()) {
    made->getArg(argument.getArgNo())->setName(argument.getName());
    map[&argument] = made->getArg(argument.getArgNo());
  }
  (made->arg_end() - 1)->setName("groups");
  llvm::SmallVector<llvm::ReturnInst*> returns;
  llvm::CloneFunctionInto(made, &kernel, map, llvm::CloneFunctionChangeType::LocalChangesOnly, returns);
  llvm::UnifyFunctionExitNodesPass().run(*made, analyses);
  analyses.clear(*made, made->getName());
  return *made;
}

/// The groups that one is to serve; 1: no more than its own.
unsigned factorFor(const ItemWork& work, const CoarsenLimits& limits) {
  if (work.loaded == 0 || work.loopsApart) return 1;
  unsigned out = std::bit_floor(limits.groups);
  const auto exceeds = [&](std::uint64_t amount, std::uint64_t limit) { return amount > limit / out; };
  while (out > 1 && (exceeds(work.loaded, limits.loaded) || exceeds(work.reloaded, limits.reloaded) ||
                     exceeds(work.reach, limits.reach) || exceeds(work.shared, limits.shared) ||
                     exceeds(work.instructions, limits.instructions) || exceeds(work.carried, limits.carried)))
    out /= 2;
  return out;
}

}  // namespace

llvm::Error stage::coarsen(Lowering& lowering) {
  const CoarsenLimits& limits = lowering.descriptor.codegen.coarsen;
  const unsigned asked = lowering.job.options.coarsening;
  const JamVocabulary vocabulary = vocabularyOf(lowering);
  // Code without an image says nothing of a second entry: nobody would launch it.
  const bool isCounted = lowering.descriptor.intrinsics.contains("group_count_x");
  if (asked == 1 || limits.groups < 2 || !vocabulary.groupId || !isCounted || !asksForImage(lowering.job.emit))
    return llvm::Error::success();
  if (asked > mostAsked) {
    return toLlvm({.code = ErrorCode::InvalidArgument,
                   .message = "coarsening: " + std::to_string(asked) + " groups for each are too many",
                   .hint = "ask for at most " + std::to_string(mostAsked) + ", or for 0 to have it decided"});
  }
  Pipeline pipeline(lowering, /*vectorise=*/false);
  llvm::FunctionPassManager tidy;
  tidy.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  tidy.addPass(llvm::SimplifyCFGPass());
  tidy.addPass(llvm::ADCEPass());
  for (EntryPoint& entry : lowering.info.entries) {
    llvm::Function& kernel = lowering.functionOf(entry);
    if (entry.cluster != ClusterBounds{} || entry.dynamicShared || !canJam(kernel, vocabulary)) continue;
    llvm::Function& made =
        cloneWithCount(kernel, vocabulary.groupId->getReturnType(), entry.symbol + "$coarse", pipeline.functions());
    const bool separate = separateVariables(made, vocabulary.groupSpace);
    const JamPlan plan(made, vocabulary, pipeline.functions());
    unsigned factor = separate && plan.possible() ? asked : 1;
    if (factor == 0) factor = factorFor(workOf(made, plan, vocabulary), limits);
    pipeline.functions().clear(made, made.getName());
    if (factor < 2) {
      made.eraseFromParent();
      continue;
    }
    jam(made, plan, factor, vocabulary);
    made.setName(entry.symbol + "$coarse" + std::to_string(factor));
    tidy.run(made, pipeline.functions());
    entry.coarse = {made.getName().str(), factor, asked == 0 ? limits.items * factor : 0};
  }
  return llvm::Error::success();
}

}  // namespace lathe::detail
