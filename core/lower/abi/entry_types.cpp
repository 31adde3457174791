// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries of the device ABI whose wide integers a front end passes by address.
//
//   before: call void @__lathe_atomic_exchange_i128(ptr sret(i128) %out, ptr %cell, ptr %value, i32 0, i32 3)
//   after:  %v = load i128, ptr %value
//           %old = call i128 @__lathe_atomic_exchange_i128(ptr %cell, i128 %v, i32 0, i32 3)
//           store i128 %old, ptr %out
#include "core/lower/abi/entry_types.h"

#include "llvm/IR/IRBuilder.h"

#include "core/abi/device_abi.h"
#include "core/abi/ir_types.h"
#include "core/lower/calls.h"

namespace lathe::detail {
namespace {

/// Whether calls of `function` can be made those of a function of `wanted`: its parameters are there, an integer of 128
/// bits perhaps by address, and its result, or the address for it in front.
bool differsByAddresses(const llvm::Function& function, const llvm::FunctionType& wanted) {
  const bool resultByAddress = function.getReturnType()->isVoidTy() && !wanted.getReturnType()->isVoidTy();
  if (resultByAddress ? !function.hasStructRetAttr() : function.getReturnType() != wanted.getReturnType()) return false;
  if (function.isVarArg() || function.arg_size() != wanted.getNumParams() + (resultByAddress ? 1 : 0)) return false;
  return llvm::all_of(llvm::enumerate(wanted.params()), [&](const auto& parameter) {
    llvm::Type* const type = function.getArg(static_cast<unsigned>(parameter.index()) + resultByAddress)->getType();
    return type == parameter.value() || (type->isPointerTy() && parameter.value()->isIntegerTy(128));
  });
}

void callByValue(llvm::CallInst& call, llvm::Function& entry) {
  const llvm::DataLayout& layout = entry.getDataLayout();
  const bool resultByAddress = call.getType() != entry.getReturnType();
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<llvm::Value*> arguments;
  for (const llvm::Argument& parameter : entry.args()) {
    llvm::Value* value = call.getArgOperand(parameter.getArgNo() + resultByAddress);
    if (value->getType() != parameter.getType())
      value = builder.CreateAlignedLoad(parameter.getType(), value, value->getPointerAlignment(layout));
    arguments.push_back(value);
  }
  llvm::CallInst* const made = builder.CreateCall(&entry, arguments);
  if (resultByAddress) {
    llvm::Value* const out = call.getArgOperand(0);
    builder.CreateAlignedStore(made, out, out->getPointerAlignment(layout));
  } else {
    call.replaceAllUsesWith(made);
  }
  call.eraseFromParent();
}

}  // namespace

void passByValue(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    const AbiEntry* const entry =
        function.isDeclaration() ? findAbiEntry(std::string_view(function.getName())) : nullptr;
    if (!entry || hasSignature(*function.getFunctionType(), entry->signature)) continue;
    llvm::FunctionType* const type = functionType(module.getContext(), entry->signature, 0);
    if (function.hasAddressTaken() || !differsByAddresses(function, *type)) continue;
    llvm::Function* const made = llvm::Function::Create(type, function.getLinkage(), "", module);
    forEachCall(function, [&](llvm::CallInst& call) { callByValue(call, *made); });
    made->takeName(&function);
    function.eraseFromParent();
  }
}

}  // namespace lathe::detail
