// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hidden parameters, threaded through the calls of a module.
#include "core/lower/abi/hidden_parameter.h"

#include "llvm/IR/IRBuilder.h"

#include "core/lower/lowering.h"
#include "core/lower/signature.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// The first function of the set, entries apart, whose address is used otherwise than for a call.
llvm::Function* calledThroughPointer(const FunctionSet& functions, const FunctionSet& entries) {
  for (llvm::Function* function : functions) {
    if (entries.contains(function)) continue;
    for (const llvm::Use& use : function->uses()) {
      const auto* const call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
      if (!call || !call->isCallee(&use)) return function;
    }
  }
  return nullptr;
}

llvm::Argument& extend(llvm::Function& function, const HiddenParameter& parameter, bool isEntry) {
  llvm::SmallVector<llvm::Type*> types(function.getFunctionType()->params());
  types.push_back(isEntry ? parameter.entryType : parameter.type);
  llvm::Function& made = moveBody(function, types, &function);
  llvm::Argument& added = *(made.arg_end() - 1);
  added.setName(parameter.name);
  llvm::AttrBuilder facts(made.getContext(), isEntry ? parameter.entryFacts : parameter.facts);
  added.addAttrs(facts);
  return added;
}

/// Calls of `old` pass on the argument of the function that they are in, or zero if it has none.
void redirectCalls(llvm::Function& old, llvm::Function& made, const HiddenArguments& arguments) {
  forEachCall(old, [&](llvm::CallInst& call) {
    llvm::IRBuilder<> builder(&call);
    llvm::SmallVector<llvm::Value*> passed(call.args());
    llvm::Argument* const own = arguments.lookup(call.getFunction());
    llvm::Type* const type = (made.arg_end() - 1)->getType();
    if (!own)
      passed.push_back(llvm::Constant::getNullValue(type));
    else
      passed.push_back(type->isPointerTy() ? builder.CreateAddrSpaceCast(own, type) : own);
    llvm::CallInst* const changed = builder.CreateCall(&made, passed);
    changed->setCallingConv(call.getCallingConv());
    changed->setAttributes(call.getAttributes());
    const unsigned last = changed->arg_size() - 1;
    changed->addParamAttrs(last, llvm::AttrBuilder(call.getContext(), made.getAttributes().getParamAttrs(last)));
    changed->copyMetadata(call);
    changed->takeName(&call);
    replaceCall(call, *changed);
  });
}

}  // namespace

FunctionSet entryFunctions(Lowering& lowering) {
  FunctionSet out;
  for (const EntryPoint& entry : lowering.info.entries) out.insert(&lowering.functionOf(entry));
  return out;
}

llvm::Expected<HiddenArguments> addHiddenParameter(Lowering& lowering, const HiddenParameter& parameter,
                                                   FunctionSet users) {
  addCallers(users);
  const FunctionSet entries = entryFunctions(lowering);
  if (parameter.receivers)
    users.remove_if(
        [&](llvm::Function* user) { return entries.contains(user) && !parameter.receivers->contains(user); });
  if (const llvm::Function* const function = calledThroughPointer(users, entries)) {
    return toLlvm({.code = ErrorCode::Unsupported,
                   .message = "'" + demangled(function->getName()) + "' " + parameter.uses.str() +
                              ", and is called through a pointer: " + parameter.what.str() + " does not reach it",
                   .hint = parameter.hint.str(),
                   .stage = "kernel_abi",
                   .target = lowering.descriptor.name,
                   .location = locationOf(*function)});
  }
  llvm::SmallVector<std::pair<llvm::Function*, llvm::Function*>> replaced;
  HiddenArguments arguments;
  for (llvm::Function* function : users) {
    llvm::Argument& added = extend(*function, parameter, entries.contains(function));
    arguments[added.getParent()] = &added;
    replaced.emplace_back(function, added.getParent());
  }
  for (const auto& [old, made] : replaced) redirectCalls(*old, *made, arguments);
  for (const auto& [old, made] : replaced) {
    old->replaceAllUsesWith(made);  // annotations and the like of kernels
    old->eraseFromParent();
  }
  return arguments;
}

void replaceQuery(llvm::Function& query, const HiddenArguments& arguments) {
  forEachCall(query, [&](llvm::CallInst& call) {
    llvm::IRBuilder<> builder(&call);
    llvm::Argument* const own = arguments.lookup(call.getFunction());
    if (!own) return replaceCall(call, *llvm::Constant::getNullValue(call.getType()));
    replaceCall(call, *(own->getType()->isPointerTy() ? builder.CreateAddrSpaceCast(own, call.getType()) : own));
  });
  query.eraseFromParent();
}

}  // namespace lathe::detail
