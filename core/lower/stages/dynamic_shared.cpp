// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch-sized shared memory as a parameter, for environments that have no other way to say its size: OpenCL's
// clSetKernelArg with a size and no value.
//
//   before: define void @k(ptr %out) { … getelementptr i8, ptr addrspace(3) @__lathe_dynamic_shared_memory
//           … call i32 @__lathe_dynamic_shared_bytes()
//   after:  define void @k(ptr %out, i32 %dynamic_shared_bytes, ptr addrspace(3) align 16 %dynamic_shared)
#include "llvm/IR/ReplaceConstant.h"

#include "core/abi/device_abi.h"
#include "core/lower/abi/device_abi.h"
#include "core/lower/abi/hidden_parameter.h"
#include "core/lower/lowering.h"
#include "core/lower/stages.h"

namespace lathe::detail {
namespace {

/// The size as whoever launches the code has to pass it.
Parameter describeSize() {
  Parameter size;
  size.name = "dynamic_shared_bytes";
  size.type.kind = TypeKind::unsignedInteger;
  size.type.name = "unsigned int";
  size.type.size = size.type.align = 4;
  return size;
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

/// Gives `users` and their callers a parameter; `facts` are those of entry points and of functions alike.
llvm::Expected<HiddenArguments> addParameter(Lowering& lowering, const char* name, llvm::Type* type,
                                             llvm::AttributeSet facts, FunctionSet users) {
  return addHiddenParameter(lowering,
                            {.name = name,
                             .what = "what the launch passes",
                             .uses = "uses launch-sized shared memory",
                             .hint = "call it by name",
                             .type = type,
                             .entryType = type,
                             .facts = facts,
                             .entryFacts = facts},
                            std::move(users));
}

/// Gives the users of `query` the size in its place, and adds the functions that have it now to `users`.
llvm::Error passSize(Lowering& lowering, llvm::Function& query, FunctionSet& users) {
  FunctionSet askers;
  addUsers(query, askers);
  auto sizes = addParameter(lowering, "dynamic_shared_bytes", query.getReturnType(), {}, std::move(askers));
  if (!sizes) return sizes.takeError();
  replaceQuery(query, *sizes);
  for (EntryPoint& entry : lowering.info.entries) {
    llvm::Function& function = lowering.functionOf(entry);
    if (!sizes->contains(&function)) continue;
    entry.hidden.push_back(describeSize());
    users.insert(&function);
  }
  return llvm::Error::success();
}

/// Gives `users`, and those of `memory` where there is one, its start.
llvm::Error passMemory(Lowering& lowering, llvm::GlobalVariable* memory, FunctionSet users) {
  llvm::LLVMContext& context = lowering.module->getContext();
  if (memory) {
    llvm::convertUsersOfConstantsToInstructions(memory);
    memory->removeDeadConstantUsers();
    addUsers(*memory, users);
  }
  if (users.empty()) return llvm::Error::success();
  llvm::AttrBuilder facts(context);
  facts.addAlignmentAttr(llvm::Align(16));
  llvm::Type* const type = llvm::PointerType::get(context, lowering.descriptor.addressSpaces.group);
  auto starts =
      addParameter(lowering, "dynamic_shared", type, llvm::AttributeSet::get(context, facts), std::move(users));
  if (!starts) return starts.takeError();
  for (const auto& [function, start] : *starts) {
    if (!memory) break;
    memory->replaceUsesWithIf(start, [function](const llvm::Use& use) {
      const auto* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return user && user->getFunction() == function;
    });
  }
  for (EntryPoint& entry : lowering.info.entries) entry.dynamicShared |= starts->contains(&lowering.functionOf(entry));
  return llvm::Error::success();
}

}  // namespace

/// The memory becomes the last parameter of the entries that reach it, a pointer of group space, which is recorded in
/// them. Before it comes its size, if an entry asks for it.
llvm::Error stage::dynamicShared(Lowering& lowering) {
  FunctionSet users;
  if (llvm::Function* const query = lowering.module->getFunction(abiEntry(AbiId::dynamic_shared_bytes).symbol)) {
    if (auto error = passSize(lowering, *query, users)) return error;
  }
  llvm::GlobalVariable* const memory = dynamicMemory(lowering);
  if (auto error = passMemory(lowering, memory, std::move(users))) return error;
  if (memory && memory->use_empty()) memory->eraseFromParent();
  return llvm::Error::success();
}

}  // namespace lathe::detail
