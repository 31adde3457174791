// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before the inliner runs, when LLVM's first passes have taken the addresses out of memory: what calls pass is followed
// from callers to callees, because a method that calls another passes the object on.
// How large a callee is shows when the inliner has gone through it, before it comes to the callers.
//
//   before: %object = alloca %Queue   call void @merge(ptr %object)
//   then:   %object = alloca %Queue   call void @merge(ptr %object) "lathe-local-object"="12000"
//   after:  %object = alloca %Queue   call void @merge(ptr %object) alwaysinline
#include "core/lower/local_objects.h"

#include <string>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

#include "core/lower/calls.h"

namespace lathe::detail {
namespace {

constexpr const char* mark = "lathe-local-object";

/// Instructions of callees. CUDA's compiler inlines functions about as large.
constexpr unsigned mostInstructions = 12'000;

/// Marks the calls with the most instructions that their callees may have.
class MarkCalls final : public llvm::PassInfoMixin<MarkCalls> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    recursive_ = recursiveFunctions(module);
    std::vector<llvm::Function*> open;
    for (llvm::Function& function : module) open.push_back(&function);
    while (!open.empty()) {
      llvm::Function* const function = open.back();
      open.pop_back();
      for (llvm::CallBase* call : callsIn(*function)) {
        if (follow(*call)) open.push_back(call->getCalledFunction());
      }
    }
    for (llvm::Function& function : module) markCalls(function);
    return llvm::PreservedAnalyses::all();
  }

 private:
  /// Calls that may be inlined.
  llvm::SmallVector<llvm::CallBase*, 16> callsIn(llvm::Function& function) const {
    llvm::SmallVector<llvm::CallBase*, 16> out;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !callee->isDeclaration() && !call->isNoInline() && !recursive_.contains(callee))
        out.push_back(call);
    }
    return out;
  }

  bool isLocal(const llvm::Value& argument) const {
    if (!argument.getType()->isPointerTy()) return false;
    const llvm::Value* const object = llvm::getUnderlyingObject(&argument);
    return llvm::isa<llvm::AllocaInst>(object) || objects_.contains(object);
  }

  /// Whether the callee has more parameters for local objects than was known.
  bool follow(const llvm::CallBase& call) {
    bool more = false;
    for (unsigned i = 0; i < call.arg_size() && i < call.getCalledFunction()->arg_size(); ++i)
      more = (isLocal(*call.getArgOperand(i)) && objects_.insert(call.getCalledFunction()->getArg(i)).second) || more;
    return more;
  }

  void markCalls(llvm::Function& function) const {
    llvm::SmallVector<llvm::CallBase*, 16> calls;
    llvm::DenseMap<const llvm::Function*, unsigned> counts;
    for (llvm::CallBase* call : callsIn(function)) {
      if (llvm::none_of(call->args(), [&](const llvm::Use& argument) { return isLocal(*argument); })) continue;
      calls.push_back(call);
      ++counts[call->getCalledFunction()];
    }
    for (llvm::CallBase* call : calls) {
      const unsigned share = mostInstructions / counts[call->getCalledFunction()];
      call->addFnAttr(llvm::Attribute::get(call->getContext(), mark, std::to_string(share)));
    }
  }

  FunctionSet recursive_;
  llvm::SmallPtrSet<const llvm::Value*, 32> objects_;  // parameters that are given local objects
};

/// Decides on the marked calls of a function that the inliner is done with.
class DecideCalls final : public llvm::PassInfoMixin<DecideCalls> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    const unsigned size = function.getInstructionCount();
    for (llvm::User* user : function.users()) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
      if (!call || call->getCalledFunction() != &function) continue;
      const llvm::Attribute share = call->getAttributes().getFnAttr(mark);
      if (!share.isValid()) continue;
      call->removeFnAttr(mark);
      unsigned most = 0;
      if (!share.getValueAsString().getAsInteger(10, most) && size <= most)
        call->addFnAttr(llvm::Attribute::AlwaysInline);
    }
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

}  // namespace

void inlineWithLocalObjects(llvm::PassBuilder& builder) {
  builder.registerPipelineEarlySimplificationEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel,
                                                           llvm::ThinOrFullLTOPhase) { passes.addPass(MarkCalls()); });
  builder.registerCGSCCOptimizerLateEPCallback([](llvm::CGSCCPassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(llvm::createCGSCCToFunctionPassAdaptor(DecideCalls()));
  });
}

}  // namespace lathe::detail
