// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions under another list of parameters.
#include "core/lower/signature.h"

#include "llvm/IR/Module.h"

namespace lathe::detail {

llvm::Function& moveBody(llvm::Function& function, llvm::ArrayRef<llvm::Type*> parameters, llvm::Function* before) {
  return moveBody(function, function.getReturnType(), parameters, before);
}

llvm::Function& moveBody(llvm::Function& function, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters,
                         llvm::Function* before) {
  auto* const type = llvm::FunctionType::get(result, parameters, false);
  llvm::Function* const made = llvm::Function::Create(type, function.getLinkage(), function.getAddressSpace());
  auto& functions = function.getParent()->getFunctionList();
  functions.insert(before ? before->getIterator() : functions.end(), made);
  made->copyAttributesFrom(&function);
  made->copyMetadata(&function, 0);
  function.clearMetadata();
  made->takeName(&function);
  made->splice(made->begin(), &function);
  for (llvm::Argument& argument : function.args()) {
    llvm::Argument& moved = *made->getArg(argument.getArgNo());
    moved.takeName(&argument);
    if (moved.getType() == argument.getType()) argument.replaceAllUsesWith(&moved);
  }
  return *made;
}

}  // namespace lathe::detail
