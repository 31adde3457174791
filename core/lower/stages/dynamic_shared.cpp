// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch-sized shared memory as a parameter, for environments that have no other way to say its size: OpenCL's
// clSetKernelArg with a size and no value. Everything that uses it was inlined into the entries by now.
//
//   before: define void @k(ptr addrspace(1) %out) { … getelementptr i8, ptr addrspace(3) @__lathe_dynamic_shared_memory
//           … call i32 @__lathe_dynamic_shared_bytes()
//   after:  define void @k(ptr addrspace(1) %out, ptr addrspace(3) align 16 %dynamic_shared, i32 %dynamic_shared_bytes)
#include "llvm/IR/ReplaceConstant.h"

#include "core/lower/abi/device_abi.h"
#include "core/lower/abi/parameter_block.h"
#include "core/lower/calls.h"
#include "core/lower/legalize/legalize.h"
#include "core/lower/lowering.h"
#include "core/lower/signature.h"
#include "core/lower/stages.h"

namespace lathe::detail {
namespace {

/// `kernel` with one more parameter, the last.
llvm::Argument& addParameter(llvm::Function& kernel, llvm::Type* type, const char* name) {
  llvm::SmallVector<llvm::Type*> types(kernel.getFunctionType()->params());
  types.push_back(type);
  llvm::Function& made = moveBody(kernel, types, &kernel);
  kernel.eraseFromParent();
  llvm::Argument& added = *(made.arg_end() - 1);
  added.setName(name);
  return added;
}

/// The type of the memory's pointers.
llvm::Type* pointerType(const Lowering& lowering) {
  return llvm::PointerType::get(lowering.module->getContext(), lowering.descriptor.addressSpaces.group);
}

/// Where `kernel` asks for the size.
std::vector<llvm::CallInst*> sizeQueries(llvm::Function& kernel) {
  std::vector<llvm::CallInst*> out;
  llvm::Function* const query = kernel.getParent()->getFunction(dynamicSharedBytesName);
  if (!query) return out;
  forEachCall(*query, [&](llvm::CallInst& call) {
    if (call.getFunction() == &kernel) out.push_back(&call);
  });
  return out;
}

/// What whoever launches the code has to pass behind the pointer.
void recordSize(EntryPoint& entry) {
  Parameter size{.name = "dynamic_shared_bytes", .type = {}, .offset = llvm::alignTo(entry.parameterBytes, 4)};
  size.type.kind = TypeKind::unsignedInteger;
  size.type.name = "unsigned int";
  size.type.size = size.type.align = 4;
  entry.parameterAlign = std::max(entry.parameterAlign, size.type.align);
  entry.parameterBytes = llvm::alignTo(size.offset + size.type.size, entry.parameterAlign);
  entry.hidden.push_back(std::move(size));
}

/// The variable of the device ABI and those a dialect declares without a size are one and the same memory.
llvm::GlobalVariable* dynamicMemory(Lowering& lowering) {
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

/// The memory becomes the last parameter of the entries that reach it, a pointer of group space, which is recorded in
/// them. Behind it comes its size, if an entry asks for it.
llvm::Error stage::dynamicShared(Lowering& lowering) {
  llvm::GlobalVariable* const memory = dynamicMemory(lowering);
  if (memory) {
    llvm::convertUsersOfConstantsToInstructions(memory);
    memory->removeDeadConstantUsers();
  }
  for (EntryPoint& entry : lowering.info.entries) {
    llvm::Function* kernel = &lowering.functionOf(entry);
    const std::vector<llvm::CallInst*> queries = sizeQueries(*kernel);
    const auto here = [&](const llvm::Use& use) {
      const auto* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return user && user->getFunction() == kernel;
    };
    if (queries.empty() && (!memory || llvm::none_of(memory->uses(), here))) continue;
    entry.dynamicShared = true;
    llvm::Argument& start = addParameter(*kernel, pointerType(lowering), "dynamic_shared");
    start.addAttr(llvm::Attribute::getWithAlignment(start.getContext(), llvm::Align(16)));
    kernel = start.getParent();
    if (memory) memory->replaceUsesWithIf(&start, here);
    const bool fitted = entry.parameterBytes <= lowering.descriptor.kernel.parameterBytes;
    if (!queries.empty()) {
      llvm::Argument& size = addParameter(*kernel, queries.front()->getType(), "dynamic_shared_bytes");
      for (llvm::CallInst* query : queries) {
        query->replaceAllUsesWith(&size);
        query->eraseFromParent();
      }
      kernel = size.getParent();
      recordSize(entry);
    }
    // Stage launch_layout has reported what was too much without it.
    const unsigned space = lowering.descriptor.addressSpaces.group;
    if (fitted) checkParameterBytes(entry, *kernel, lowering, lowering.module->getDataLayout().getPointerSize(space));
  }
  if (memory && memory->use_empty()) memory->eraseFromParent();
  return llvm::Error::success();
}

}  // namespace lathe::detail
