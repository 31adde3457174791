// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of work-group lowering, in order.
#include "core/group/work_group.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/SpeculativeExecution.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include "core/group/analysis/kernel_flow.h"
#include "core/group/analysis/live_across_barriers.h"
#include "core/group/emit/region_emitter.h"
#include "core/group/emit/shared_memory.h"
#include "core/group/entry/group_function.h"
#include "core/group/entry/group_size_versions.h"
#include "core/group/split/barrier_splits.h"
#include "core/group/split/empty_branches.h"
#include "core/group/split/group_atomics.h"
#include "core/group/split/inline_calls.h"
#include "core/group/split/shuffle_batches.h"
#include "core/group/split/uniform_iterations.h"
#include "core/group/split/warp_synchronous.h"
#include "core/group/vectorise/index_widening.h"
#include "core/group/vectorise/unrolling.h"
#include "core/lower/passes/passes.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// Brings kernels into the form in which splits pay: values in registers, loops rotated, short ones unrolled.
class KernelSimplifier {
 public:
  explicit KernelSimplifier(llvm::TargetMachine& machine) : setup_(&machine, llvm::PipelineTuningOptions()) {
    setup_.registerAnalyses();
    passes_.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes_.addPass(llvm::EarlyCSEPass());
    passes_.addPass(llvm::SimplifyCFGPass());
    passes_.addPass(llvm::InstCombinePass());
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LoopRotatePass());
    loops.addPass(llvm::IndVarSimplifyPass());
    loops.addPass(UnrollLimitPass());
    loops.addPass(llvm::LoopFullUnrollPass(3));
    passes_.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
    passes_.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes_.addPass(llvm::EarlyCSEPass());
    passes_.addPass(llvm::InstCombinePass());
    passes_.addPass(llvm::LoopSimplifyPass());
    // Twice: `a < b || (a == b && c < d)` is two branches, of which the inner one goes first.
    for (unsigned i = 0; i < 2; ++i) {
      straighten_.addPass(llvm::SpeculativeExecutionPass(/*OnlyIfDivergentTarget=*/false));
      straighten_.addPass(FoldEmptyBranches());
      straighten_.addPass(llvm::SimplifyCFGPass());
    }
    straighten_.addPass(llvm::EarlyCSEPass());
    straighten_.addPass(llvm::LoopSimplifyPass());
  }

  void run(llvm::Function& kernel) {
    passes_.run(kernel, setup_.functions());
    // Exchanges of one block share their barriers.
    if (hasExchanges(kernel)) straighten_.run(kernel, setup_.functions());
    setup_.functions().clear();
  }

 private:
  PassSetup setup_;
  llvm::FunctionPassManager passes_, straighten_;
};

/// Whether `pointer`, or what is derived from it, may be written through.
bool mayBeWritten(const llvm::Value& pointer) {
  return llvm::any_of(pointer.users(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::LoadInst, llvm::CmpInst>(user)) return false;
    if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(user)) return mayBeWritten(*user);
    const auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(user);
    return !copy || copy->getRawDest() == &pointer || copy->isVolatile();
  });
}

/// An aggregate parameter belongs to the item. Items share the launch's copy unless the kernel changes it.
void copyWrittenAggregates(llvm::Function& kernel) {
  for (llvm::Argument& parameter : kernel.args()) {
    if (!parameter.hasByValAttr() || parameter.onlyReadsMemory() || !mayBeWritten(parameter)) continue;
    llvm::IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
    llvm::Type* const type = parameter.getParamByValType();
    const llvm::Align align = parameter.getParamAlign().valueOrOne();
    llvm::AllocaInst* const copy = builder.CreateAlloca(type, nullptr, parameter.getName());
    copy->setAlignment(std::max(copy->getAlign(), align));
    parameter.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, copy->getAlign(), &parameter, align, kernel.getDataLayout().getTypeAllocSize(type));
  }
}

llvm::Error checkKernel(const llvm::Function& kernel) {
  for (const llvm::Instruction& instruction : llvm::instructions(kernel)) {
    const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!variable || variable->isStaticAlloca()) continue;
    return toLlvm({.code = ErrorCode::Unsupported,
                   .message = demangled(kernel.getName()) +
                              ": a local array whose size is not a constant; give it a constant size",
                   .location = locationOf(instruction)});
  }
  return llvm::Error::success();
}

/// How much is made of a group's function: what is there in case no launch has the size of the other version need not
/// grow.
enum class Purpose { debugging, fallback, speed };

/// Makes loops of `group`'s items.
WorkGroupResources lowerGroup(GroupFunction& group, Purpose purpose, const WorkGroupOptions& options) {
  const bool optimise = purpose != Purpose::debugging;
  WorkGroupResources out;
  llvm::Function& function = *group.function;
  if (optimise) batchShuffles(function);
  const SharedLayout shared = placeSharedVariables(function, *group.shared, options.groupSpace);
  out.sharedBytes = shared.bytes;
  out.dynamicShared = shared.dynamic;

  llvm::removeUnreachableBlocks(function);
  std::vector<SplitPoint> splits = splitAtBarriers(function);
  const bool independent = splits.empty() && shared.bytes == 0 && !shared.dynamic;
  const bool joinable = optimise && independent && seesGridAlongX(group);
  if (optimise) {
    if (purpose == Purpose::speed) peelUniformIterations(group, splits);
    widenIndices(function);
    addProfitableSplits(function, *group.shared, options.subgroupSize, splits);
  }
  {
    const KernelFlow flow(function, splits);
    if (!flow.graph().isScheduled()) removeSubgroupBarriers(splits);
    const LiveAcrossBarriers live(function, flow.graph(), flow.uniformity(), options.subgroupSize);
    out.contextBytes = live.contextBytes();
    emitRegions(group, flow.graph(), live, flow.uniformity(), joinable && live.contextBytes() == 0);
  }
  // Not before: loops over items are told which accesses depend on no other item, and these do.
  if (optimise) relaxGroupAtomics(function, *group.shared);
  return out;
}

WorkGroupResources lowerKernel(llvm::Function& kernel, KernelSimplifier* simplifier, const WorkGroupOptions& options) {
  const std::string symbol = kernel.getName().str();
  GroupFunction group = takeBody(kernel);
  group.subgroupSize = options.subgroupSize;
  std::optional<GroupFunction> fixed;
  Purpose purpose = simplifier ? Purpose::speed : Purpose::debugging;
  if (simplifier) {
    if (const auto size = versionedGroupSize(group, options.groupSpace)) {
      fixed = cloneForSize(group, size->items);
      simplifier->run(*fixed->function);
      if (size->certain) purpose = Purpose::fallback;
    }
  }
  WorkGroupResources out = lowerGroup(group, purpose, options);
  if (fixed) {
    const WorkGroupResources other = lowerGroup(*fixed, Purpose::speed, options);
    out.sharedBytes = std::max(out.sharedBytes, other.sharedBytes);
    out.contextBytes = std::max(out.contextBytes, other.contextBytes);
  }
  out.symbol = symbol;
  writeEntry(kernel, group, fixed ? &*fixed : nullptr);
  return out;
}

void removeGroupVariables(llvm::Module& module, unsigned groupSpace) {
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
    if (variable.getAddressSpace() != groupSpace) continue;
    variable.removeDeadConstantUsers();
    if (variable.use_empty()) variable.eraseFromParent();
  }
}

}  // namespace

llvm::Expected<std::vector<WorkGroupResources>> lowerWorkGroups(llvm::Module& module, llvm::TargetMachine& machine,
                                                                const WorkGroupOptions& options) {
  std::vector<llvm::Function*> kernels;
  for (llvm::Function& function : module) {
    if (function.hasFnAttribute("lathe.kernel") && !function.isDeclaration()) kernels.push_back(&function);
  }
  if (llvm::Error error = inlineGroupFunctions(module, kernels, options.groupSpace)) return error;
  const bool optimise = machine.getOptLevel() != llvm::CodeGenOptLevel::None;
  KernelSimplifier simplifier(machine);
  std::vector<WorkGroupResources> out;
  for (llvm::Function* kernel : kernels) {
    copyWrittenAggregates(*kernel);
    if (optimise) simplifier.run(*kernel);
    if (llvm::Error error = checkKernel(*kernel)) return error;
    keepWarpSynchronous(*kernel, options.groupSpace);
    out.push_back(lowerKernel(*kernel, optimise ? &simplifier : nullptr, options));
  }
  removeGroupVariables(module, options.groupSpace);
  return out;
}

}  // namespace lathe::detail
