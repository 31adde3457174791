// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In checked mode each access, barrier and meeting of a kernel tells the runtime of itself, with its place in the
// source.
//
//   before: store i32 %v, ptr %p                       ; an element of @tile, which is group-shared
//   after:  %u = call ptr @__lathe_check_access(ptr @site, ptr %p, ptr addrspacecast (ptr addrspace(3) @tile to ptr),
//                                               i64 4, i32 %item)
//           store i32 %v, ptr %u
//
// Of memory that is not shared among items only the bounds count, which are asked for once:
//
//   once:   %first = call i64 @__lathe_check_first(ptr %data)        %size = call i64 @__lathe_check_size(ptr %data)
//   after:  %offset = sub i64 %address, %first
//           br i1 (%offset > %size - 4), label %outside, label %inside       ; outside, the call as above
//
// It comes before anything is optimised, because an optimiser takes accesses that cannot be right as licence to delete
// them, and before device libraries are linked, whose code is not the user's. The user's functions become part of the
// kernels first: only there the item is known, and where a pointer came from. What cannot (recursion, calls through
// pointers) is checked without its item.

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "core/lower/calls.h"
#include "core/lower/passes/passes.h"
#include "core/lower/stages.h"
#include "core/sanitizer/calls.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

void inlineCalls(llvm::Function& caller, const llvm::SetVector<llvm::Function*>& recursive) {
  for (bool changed = true; changed;) {
    changed = false;
    llvm::SmallVector<llvm::CallBase*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(caller)) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !callee->isDeclaration() && !recursive.contains(callee)) calls.push_back(call);
    }
    for (llvm::CallBase* call : calls) {
      llvm::InlineFunctionInfo info;
      changed |= llvm::InlineFunction(*call, info).isSuccess();
    }
  }
}

/// One function for each kernel, with pointers in registers, and without what nobody calls any more.
void gatherKernels(Lowering& lowering) {
  const auto recursive = recursiveFunctions(*lowering.module);
  for (llvm::Function& function : *lowering.module) {
    const bool stays = function.hasFnAttribute(attribute::kernel) || function.hasAddressTaken() ||
                       recursive.contains(&function) || !function.hasLocalLinkage();
    if (!function.isDeclaration() && stays) inlineCalls(function, recursive);
  }
  Pipeline pipeline(lowering, /*vectorise=*/false);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::SROAPass(llvm::SROAOptions::ModifyCFG)));
  pipeline.run(std::move(passes));
}

/// Addresses in constants become instructions, of which each has its place.
void expandAddresses(llvm::Module& module) {
  llvm::SmallVector<llvm::Constant*> variables;
  for (llvm::GlobalVariable& variable : module.globals()) variables.push_back(&variable);
  llvm::convertUsersOfConstantsToInstructions(variables);
}

}  // namespace

llvm::Error stage::instrument(Lowering& lowering) {
  if (!lowering.descriptor.kernel.checks) {
    return toLlvm({.code = ErrorCode::Unsupported,
                   .message = lowering.descriptor.name + ": its runtime cannot check kernels while they run",
                   .hint = "compile without 'checked', or for a target whose descriptor says 'kernel: {checks: true}', "
                           "such as cpu",
                   .stage = "instrument",
                   .target = lowering.descriptor.name});
  }
  llvm::Module& module = *lowering.module;
  gatherKernels(lowering);
  expandAddresses(module);
  SiteWriter sites(module, lowering.info.entries, lowering.descriptor.addressSpaces.group);
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) functions.push_back(&function);
  }
  for (llvm::Function* function : functions)
    CheckCalls(*function, function->hasFnAttribute(attribute::kernel), lowering.descriptor.subgroupSizes.front(), sites)
        .run();
  return llvm::Error::success();
}

}  // namespace lathe::detail
