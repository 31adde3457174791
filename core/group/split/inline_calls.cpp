// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bottom-up inlining over the part of the call graph that depends on the group.
#include "core/group/split/inline_calls.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "core/group/analysis/device_calls.h"
#include "core/group/split/warp_synchronous.h"
#include "core/lower/call_by_number.h"
#include "core/lower/calls.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

FunctionSet functionsOfTheGroup(llvm::Module& module, unsigned groupSpace) {
  FunctionSet found;
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() == groupSpace) addUsers(variable, found);
  }
  for (llvm::Function& function : module) {
    if (deviceEntryOf(function)) addUsers(function, found);
  }
  FunctionSet inStep;
  for (llvm::Function& function : module) {
    if (!function.hasAddressTaken() && isWarpSynchronous(function, groupSpace)) inStep.insert(&function);
  }
  if (!inStep.empty()) {
    const FunctionSet recursive = recursiveFunctions(module);
    inStep.remove_if([&](llvm::Function* function) { return recursive.contains(function); });
    found.insert_range(inStep);
  }
  addCallers(found);
  return found;
}

class GroupInliner {
 public:
  explicit GroupInliner(const FunctionSet& functions) : functions_(functions) {}

  /// Inlines all of `functions` that `caller` calls; afterwards it calls none of them.
  llvm::Error run(llvm::Function& caller) {
    State& state = states_[&caller];
    if (state == State::done) return llvm::Error::success();
    state = State::active;
    llvm::SmallVector<llvm::CallBase*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(caller)) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && call->getCalledFunction() && functions_.contains(call->getCalledFunction())) calls.push_back(call);
    }
    for (llvm::CallBase* call : calls) {
      llvm::Function& callee = *call->getCalledFunction();
      if (states_[&callee] == State::active) return recursion(*call, callee);
      if (llvm::Error error = run(callee)) return error;
      llvm::InlineFunctionInfo info;
      const SourceLocation at = locationOf(*call);
      const llvm::InlineResult result = llvm::InlineFunction(*call, info);
      if (!result.isSuccess()) return notInlined(callee, at, result.getFailureReason());
    }
    states_[&caller] = State::done;
    return llvm::Error::success();
  }

 private:
  enum class State { untouched, active, done };

  static llvm::Error recursion(const llvm::CallBase& call, const llvm::Function& callee) {
    return toLlvm({.code = ErrorCode::Unsupported,
                   .message = demangled(callee.getName()) +
                              ": a function that uses item ids, barriers or group-shared memory calls itself; "
                              "make it a loop, or pass it what it needs as arguments",
                   .location = locationOf(call)});
  }

  static llvm::Error notInlined(const llvm::Function& callee, SourceLocation at, const char* reason) {
    return toLlvm({.code = ErrorCode::Unsupported,
                   .message = demangled(callee.getName()) + ": cannot become part of the kernel: " + reason,
                   .location = std::move(at)});
  }

  const FunctionSet& functions_;
  llvm::DenseMap<const llvm::Function*, State> states_;
};

}  // namespace

llvm::Error inlineGroupFunctions(llvm::Module& module, llvm::ArrayRef<llvm::Function*> kernels, unsigned groupSpace) {
  callByNumber(module, [&] { return functionsOfTheGroup(module, groupSpace); }, /*complete=*/false);
  const FunctionSet functions = functionsOfTheGroup(module, groupSpace);
  GroupInliner inliner(functions);
  for (llvm::Function* kernel : kernels) {
    if (llvm::Error error = inliner.run(*kernel)) return error;
  }
  // What is exported is called from elsewhere: that its calls mean nothing there is for stage validate to say.
  const auto stays = [&](llvm::Function* function) {
    return llvm::is_contained(kernels, function) || function->hasFnAttribute("lathe.export");
  };
  for (llvm::Function* function : functions) {
    if (!stays(function)) function->deleteBody();
  }
  for (llvm::Function* function : functions) {
    if (stays(function)) continue;
    function->removeDeadConstantUsers();
    if (!function->use_empty()) {
      return toLlvm({.code = ErrorCode::Unsupported,
                     .message = demangled(function->getName()) +
                                ": a function that uses item ids, barriers or group-shared memory is called through a "
                                "pointer; call it by name",
                     .location = {}});
    }
    function->eraseFromParent();
  }
  return llvm::Error::success();
}

}  // namespace lathe::detail
