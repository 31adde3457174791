// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/lower/calls.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace lathe::sdk {

void addUsers(const llvm::Value& value, FunctionSet& functions) {
  for (const llvm::User* user : value.users()) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
      functions.insert(const_cast<llvm::Function*>(instruction->getFunction()));
    } else if (llvm::isa<llvm::ConstantExpr>(user)) {
      addUsers(*user, functions);
    }
  }
}

}  // namespace lathe::sdk

namespace lathe::detail {

FunctionSet recursiveFunctions(llvm::Module& module) {
  FunctionSet out;
  llvm::CallGraph graph(module);
  for (auto cycle = llvm::scc_begin(&graph); !cycle.isAtEnd(); ++cycle) {
    if (!cycle.hasCycle()) continue;
    for (const llvm::CallGraphNode* node : *cycle) {
      if (node->getFunction()) out.insert(node->getFunction());
    }
  }
  return out;
}

void addCallers(FunctionSet& functions) {
  for (std::size_t i = 0; i < functions.size(); ++i)  // grows
    addUsers(*functions[i], functions);
}

void addCallees(FunctionSet& functions) {
  for (std::size_t i = 0; i < functions.size(); ++i) {  // grows
    for (const llvm::Instruction& instruction : llvm::instructions(*functions[i])) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !callee->isDeclaration()) functions.insert(callee);
    }
  }
}

llvm::SmallVector<llvm::CallBase*, 8> callsOf(llvm::Function& function) {
  llvm::SmallVector<llvm::CallBase*, 8> out;
  for (const llvm::Use& use : function.uses()) {
    auto* const call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    if (call && call->isCallee(&use) && call->getFunctionType() == function.getFunctionType()) out.push_back(call);
  }
  return out;
}

FunctionSet inlineIntoCallers(llvm::Function& function) {
  FunctionSet out;
  for (llvm::CallBase* call : callsOf(function)) {
    llvm::Function* const caller = call->getFunction();
    llvm::InlineFunctionInfo info;
    if (caller != &function && llvm::InlineFunction(*call, info, /*MergeAttributes=*/true).isSuccess())
      out.insert(caller);
  }
  return out;
}

}  // namespace lathe::detail
