// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel state: one hidden argument of each kernel, handed down to whoever calls `__lathe_state`.
#include "core/lower/stages.h"

#include <cstddef>

#include <lathe/sdk/kernel_state.h>

#include "core/abi/runtime_abi.h"
#include "core/lower/abi/hidden_parameter.h"
#include "core/lower/call_by_number.h"
#include "core/lower/lowering.h"

namespace lathe::detail {
namespace {

TypeLayout::Field field(std::string name, std::size_t offset, TypeKind kind, std::string type) {
  TypeLayout layout;
  layout.kind = kind;
  layout.name = std::move(type);
  layout.size = layout.align = 8;
  return {std::move(name), offset, std::move(layout)};
}

/// What the kernels of an image want of their state beside what all have.
struct Wishes {
  bool heap = false, grid = false;
};

/// What a runtime reads: it fills in each field by its name. A heap or a barrier is made only for images whose kernels
/// want one.
Parameter describeState(const Wishes& wishes) {
  using abi::KernelState;
  Parameter out;
  out.name = "state";
  out.type.kind = TypeKind::record;
  out.type.name = "lathe::abi::KernelState";
  out.type.size = wishes.grid ? sizeof(KernelState) : offsetof(KernelState, grid);
  out.type.align = alignof(KernelState);
  out.type.fields = {
      field("exception", offsetof(KernelState, exception), TypeKind::pointer, "lathe::abi::ExceptionRecord *"),
      field("print", offsetof(KernelState, print), TypeKind::pointer, "lathe::abi::PrintBuffer *"),
      field("kernel", offsetof(KernelState, kernel), TypeKind::unsignedInteger, "unsigned long")};
  if (wishes.heap)
    out.type.fields.push_back(field("heap", offsetof(KernelState, heap), TypeKind::pointer, "lathe::abi::Heap *"));
  if (wishes.grid)
    out.type.fields.push_back(
        field("grid", offsetof(KernelState, grid), TypeKind::pointer, "lathe::abi::GridBarrier *"));
  return out;
}

FunctionSet usersOf(const llvm::Function* query) {
  FunctionSet out;
  if (query) addUsers(*query, out);
  addCallers(out);
  return out;
}

}  // namespace

/// Gives entries their state as a last, by-value parameter, hands it on to the functions that ask for it, and records
/// its layout: all entries where the job asks for states, else those that use one. The others become bare.
llvm::Error stage::kernelState(Lowering& lowering) {
  llvm::Module& module = *lowering.module;
  llvm::LLVMContext& context = module.getContext();
  llvm::Function* const query = module.getFunction(abiEntry(AbiId::state).symbol);
  const auto calls = [&](RuntimeId id) { return module.getFunction(runtimeEntry(id).symbol) != nullptr; };
  const Wishes wishes{.heap = calls(RuntimeId::state_allocate) || calls(RuntimeId::state_release),
                      .grid = calls(RuntimeId::state_grid_barrier)};
  // Whoever calls through a pointer does not know what to hand down.
  detail::callByNumber(module, [&] { return usersOf(query); }, /*complete=*/false);
  FunctionSet users = usersOf(query);
  if (lowering.job.options.entryAbi == EntryAbi::state) {
    const FunctionSet entries = entryFunctions(lowering);
    users.insert(entries.begin(), entries.end());
  }
  for (EntryPoint& entry : lowering.info.entries) {
    if (users.contains(&lowering.functionOf(entry)))
      entry.hidden.push_back(describeState(wishes));
    else
      entry.abi = EntryAbi::bare;
  }

  llvm::Type* const pointer = llvm::PointerType::get(context, lowering.descriptor.addressSpaces.generic);
  llvm::SmallVector<llvm::Type*> fields = {pointer, pointer, llvm::Type::getInt64Ty(context), pointer};
  if (wishes.grid) fields.push_back(pointer);
  auto* const record = llvm::StructType::create(fields, "lathe.state");
  llvm::AttrBuilder facts(context);
  facts.addAttribute(llvm::Attribute::NoUndef);
  facts.addAttribute(llvm::Attribute::ReadOnly);
  facts.addAlignmentAttr(llvm::Align(alignof(abi::KernelState)));
  llvm::AttrBuilder entryFacts(context, llvm::AttributeSet::get(context, facts));
  entryFacts.addByValAttr(record);
  llvm::Type* const passed = llvm::PointerType::get(context, 0);
  auto states = addHiddenParameter(lowering,
                                   {.name = "state",
                                    .what = "the kernel's state",
                                    .uses = "prints, asserts or traps",
                                    .hint = "call it by name, or compile with the entry ABI 'bare'",
                                    .type = query ? query->getReturnType() : passed,
                                    .entryType = passed,
                                    .facts = llvm::AttributeSet::get(context, facts),
                                    .entryFacts = llvm::AttributeSet::get(context, entryFacts)},
                                   std::move(users));
  if (!states) return states.takeError();
  for (const auto& [function, state] : *states)  // It reads the state now.
    function->setMemoryEffects(function->getMemoryEffects() | llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref));
  if (query) replaceQuery(*query, *states);
  return llvm::Error::success();
}

}  // namespace lathe::detail
