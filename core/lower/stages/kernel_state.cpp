// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel state: one hidden argument of each kernel, handed down to whoever calls `__lathe_state`.
//
//   before: define void @k(ptr %x) "lathe.kernel" { call void @f() }    define internal void @f() { call ptr
//   @__lathe_state() } after:  define void @k(ptr %x, ptr byval(%lathe.state) align 8 %state) "lathe.kernel" { call
//   void @f(ptr %state) }
//           define internal void @f(ptr %state)
//
// GPUCompiler.jl threads its kernel state in the same way.
#include "core/lower/stages.h"

#include <cstddef>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"

#include <lathe/sdk/kernel_state.h>

#include "core/lower/lowering.h"
#include "core/lower/signature.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

TypeLayout::Field field(std::string name, std::size_t offset, TypeKind kind, std::string type) {
  TypeLayout layout;
  layout.kind = kind;
  layout.name = std::move(type);
  layout.size = layout.align = 8;
  return {std::move(name), offset, std::move(layout)};
}

/// What a runtime reads: it fills in each field by its name. A heap is made only for images whose kernels want one.
Parameter describeState(bool allocates) {
  using abi::KernelState;
  Parameter out;
  out.name = "state";
  out.type.kind = TypeKind::record;
  out.type.name = "lathe::abi::KernelState";
  out.type.size = sizeof(KernelState);
  out.type.align = alignof(KernelState);
  out.type.fields = {
      field("exception", offsetof(KernelState, exception), TypeKind::pointer, "lathe::abi::ExceptionRecord *"),
      field("print", offsetof(KernelState, print), TypeKind::pointer, "lathe::abi::PrintBuffer *"),
      field("kernel", offsetof(KernelState, kernel), TypeKind::unsignedInteger, "unsigned long")};
  if (allocates)
    out.type.fields.push_back(field("heap", offsetof(KernelState, heap), TypeKind::pointer, "lathe::abi::Heap *"));
  return out;
}

class StateThreader {
 public:
  explicit StateThreader(Lowering& lowering)
      : lowering_(lowering), query_(lowering.module->getFunction("__lathe_state")) {}

  llvm::Error run() {
    llvm::Module& module = *lowering_.module;
    llvm::LLVMContext& context = module.getContext();
    llvm::Type* const pointer = llvm::PointerType::get(context, lowering_.descriptor.addressSpaces.generic);
    stateType_ = llvm::StructType::create({pointer, pointer, llvm::Type::getInt64Ty(context), pointer}, "lathe.state");
    const bool allocates = module.getFunction("__lathe_state_allocate") || module.getFunction("__lathe_state_release");
    for (EntryPoint& entry : lowering_.info.entries) {
      kernels_.insert(&lowering_.functionOf(entry));
      entry.hidden.push_back(describeState(allocates));
    }
    users_ = kernels_;
    if (auto error = findUsers()) return error;
    for (llvm::Function* function : users_) extend(*function);
    for (const auto& [old, made] : extended_) redirectCalls(*old, *made);
    for (const auto& [old, made] : extended_) {
      old->replaceAllUsesWith(made);  // annotations and the like of kernels
      old->eraseFromParent();
    }
    if (query_) query_->eraseFromParent();
    return llvm::Error::success();
  }

 private:
  /// Functions that ask for the state, or call one that does, or a kernel.
  llvm::Error findUsers() {
    llvm::SmallVector<llvm::Function*> work(kernels_.begin(), kernels_.end());
    if (query_) work.push_back(query_);
    while (!work.empty()) {
      llvm::Function* const wanted = work.pop_back_val();
      for (const llvm::Use& use : wanted->uses()) {
        auto* const call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
        if (!call || !call->isCallee(&use)) {
          if (kernels_.contains(wanted)) continue;
          return calledThroughPointer(*wanted);
        }
        if (users_.insert(call->getFunction())) work.push_back(call->getFunction());
      }
    }
    return llvm::Error::success();
  }

  llvm::Error calledThroughPointer(const llvm::Function& function) const {
    return toLlvm(
        {.code = ErrorCode::Unsupported,
         .message = "'" + demangled(function.getName()) +
                    "' prints, asserts or traps, and is called through a pointer: the kernel's state does not "
                    "reach it",
         .hint = "call it by name, or compile with the entry ABI 'bare'",
         .stage = "kernel_abi",
         .target = lowering_.descriptor.name,
         .location = locationOf(function)});
  }

  /// Moves the body into a function with one more parameter.
  void extend(llvm::Function& function) {
    llvm::LLVMContext& context = function.getContext();
    const bool isKernel = kernels_.contains(&function);
    llvm::SmallVector<llvm::Type*> types(function.getFunctionType()->params());
    types.push_back(isKernel || !query_ ? llvm::PointerType::get(context, 0) : query_->getReturnType());
    llvm::Function* const made = &moveBody(function, types, &function);
    llvm::Argument& state = *(made->arg_end() - 1);
    state.setName("state");
    llvm::AttrBuilder facts(context);
    facts.addAttribute(llvm::Attribute::NoUndef);
    facts.addAttribute(llvm::Attribute::ReadOnly);
    if (isKernel) facts.addByValAttr(stateType_);
    facts.addAlignmentAttr(llvm::Align(alignof(abi::KernelState)));
    state.addAttrs(facts);
    // It reads the state now.
    made->setMemoryEffects(made->getMemoryEffects() | llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref));
    extended_[&function] = made;
  }

  /// Calls of `old` pass on their own function's state; calls of the query become it.
  void redirectCalls(llvm::Function& old, llvm::Function& made) {
    for (llvm::User* user : llvm::make_early_inc_range(old.users())) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledFunction() != &old) continue;
      llvm::IRBuilder<> builder(call);
      llvm::SmallVector<llvm::Value*> arguments(call->args());
      llvm::Value* const state = stateIn(*call);
      arguments.push_back(builder.CreateAddrSpaceCast(state, (made.arg_end() - 1)->getType()));
      llvm::CallInst* const changed = builder.CreateCall(&made, arguments);
      changed->setCallingConv(call->getCallingConv());
      changed->setAttributes(call->getAttributes());
      const unsigned last = changed->arg_size() - 1;
      changed->addParamAttrs(last, llvm::AttrBuilder(call->getContext(), made.getAttributes().getParamAttrs(last)));
      changed->copyMetadata(*call);
      changed->takeName(call);
      call->replaceAllUsesWith(changed);
      call->eraseFromParent();
    }
    if (!query_) return;
    for (llvm::User* user : llvm::make_early_inc_range(query_->users())) {
      auto* const call = llvm::cast<llvm::CallInst>(user);
      if (call->getFunction() != &made) continue;
      llvm::IRBuilder<> builder(call);
      call->replaceAllUsesWith(builder.CreateAddrSpaceCast(stateIn(*call), call->getType()));
      call->eraseFromParent();
    }
  }

  /// The state of the function that `instruction` is in. It was extended before.
  static llvm::Value* stateIn(llvm::Instruction& instruction) { return &*(instruction.getFunction()->arg_end() - 1); }

  Lowering& lowering_;
  llvm::Function* query_;
  llvm::StructType* stateType_ = nullptr;
  llvm::SetVector<llvm::Function*> users_, kernels_;
  llvm::MapVector<llvm::Function*, llvm::Function*> extended_;
};

}  // namespace

/// Gives every entry its state as a last, by-value parameter, hands it on to the functions that ask for it, and records
/// its layout.
llvm::Error stage::kernelState(Lowering& lowering) {
  return StateThreader(lowering).run();
}

}  // namespace lathe::detail
