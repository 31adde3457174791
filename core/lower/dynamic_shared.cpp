// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch-sized shared memory as a parameter, for environments that have no other way to say its size: OpenCL's
// clSetKernelArg with a size and no value. Everything that uses it was inlined into the entries by now.
//
//   before: define void @k(ptr addrspace(1) %out) { … getelementptr i8, ptr addrspace(3) @__lathe_dynamic_shared_memory
//   after:  define void @k(ptr addrspace(1) %out, ptr addrspace(3) align 16 %dynamic_shared) { … ptr … %dynamic_shared
#include "llvm/IR/ReplaceConstant.h"

#include "core/lower/expand.h"
#include "core/lower/lowering.h"

namespace lathe::detail {
namespace {

/// `kernel` with one more parameter.
llvm::Function& withParameter(llvm::Function& kernel, llvm::Type* type) {
  llvm::SmallVector<llvm::Type*> types(kernel.getFunctionType()->params());
  types.push_back(type);
  llvm::Function* const made = llvm::Function::Create(llvm::FunctionType::get(kernel.getReturnType(), types, false),
                                                      kernel.getLinkage(), kernel.getAddressSpace(), "");
  kernel.getParent()->getFunctionList().insert(kernel.getIterator(), made);
  made->copyAttributesFrom(&kernel);
  made->copyMetadata(&kernel, 0);
  kernel.clearMetadata();
  made->takeName(&kernel);
  made->splice(made->begin(), &kernel);
  for (llvm::Argument& argument : kernel.args()) {
    argument.replaceAllUsesWith(made->getArg(argument.getArgNo()));
    made->getArg(argument.getArgNo())->takeName(&argument);
  }
  kernel.eraseFromParent();
  return *made;
}

/// The variable of the device ABI and those a dialect declares without a size are one and the same memory.
llvm::GlobalVariable* dynamicShared(Lowering& lowering) {
  llvm::GlobalVariable* memory = nullptr;
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(lowering.module->globals())) {
    if (!variable.isDeclaration() || variable.getAddressSpace() != lowering.descriptor.addressSpaces.group) continue;
    if (memory) {
      variable.replaceAllUsesWith(memory);
      variable.eraseFromParent();
    } else {
      memory = &variable;
    }
  }
  return memory;
}

}  // namespace

void passDynamicShared(Lowering& lowering) {
  llvm::GlobalVariable* const memory = dynamicShared(lowering);
  if (!memory) return;
  llvm::convertUsersOfConstantsToInstructions(memory);
  memory->removeDeadConstantUsers();
  for (EntryPoint& entry : lowering.info.entries) {
    llvm::Function* kernel = &lowering.functionOf(entry);
    const auto here = [&](const llvm::Use& use) {
      const auto* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return user && user->getFunction() == kernel;
    };
    if (llvm::none_of(memory->uses(), here)) continue;
    entry.dynamicShared = true;
    kernel = &withParameter(*kernel, memory->getType());
    llvm::Argument& parameter = *kernel->getArg(static_cast<unsigned>(kernel->arg_size()) - 1);
    parameter.setName("dynamic_shared");
    parameter.addAttr(llvm::Attribute::getWithAlignment(kernel->getContext(), llvm::Align(16)));
    memory->replaceUsesWithIf(&parameter, [&](const llvm::Use& use) { return here(use); });
  }
  if (memory->use_empty()) memory->eraseFromParent();
}

}  // namespace lathe::detail
