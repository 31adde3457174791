// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf in portable IR: the arguments in one block, each at its natural alignment, and a text that says what they are.
//
//   before: call i32 (ptr, ...) @printf(ptr @format, i32 %n, double %x)            ; or vprintf(ptr @format, ptr
//   %block) after:  store { i32, double } …, ptr %block
//           call i32 @__lathe_print(ptr @format, ptr %block, ptr @.str.types)      ; "id"
#include "core/lower/abi/print_calls.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"

#include <lathe/sdk/kernel_state.h>

#include "core/abi/device_abi.h"
#include "core/abi/print_format.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// The letter of an argument after C's default promotions; 0 if it cannot be printed.
char letterOf(const llvm::Type& type) {
  if (type.isIntegerTy(32)) return abi::printInt;
  if (type.isIntegerTy(64)) return abi::printLong;
  if (type.isDoubleTy()) return abi::printDouble;
  if (type.isPointerTy()) return abi::printPointer;
  return '\0';
}

/// Pointers that the format prints as text are strings: only the device can read them. A format that is not constant
/// is looked at when it is used.
void markStrings(const llvm::Value& format, std::string& types) {
  llvm::StringRef text;
  const bool known = llvm::getConstantStringInfo(&format, text);
  const std::string letters = printArguments({text.data(), text.size()});
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i] != abi::printPointer) continue;
    if (!known)
      types[i] = abi::printUnknown;
    else if (i < letters.size() && letters[i] == 's')
      types[i] = abi::printString;
  }
}

class PrintRewriter {
 public:
  explicit PrintRewriter(llvm::Module& module) : module_(module) {}

  llvm::Error run() {
    for (const char* name : {"printf", "vprintf"}) {
      llvm::Function* const function = module_.getFunction(name);
      if (!function || !function->isDeclaration()) continue;
      for (llvm::User* user : llvm::make_early_inc_range(function->users())) {
        auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
        if (!call || call->getCalledFunction() != function || !isPrint(*call)) continue;
        if (auto error = function->isVarArg() ? rewritePlain(*call) : rewritePacked(*call)) return error;
      }
      if (function->use_empty()) function->eraseFromParent();
    }
    return llvm::Error::success();
  }

 private:
  /// Whether it is C's function and not another of its name.
  static bool isPrint(const llvm::CallInst& call) {
    const llvm::FunctionType& type = *call.getFunctionType();
    const unsigned fixed = type.isVarArg() ? 1 : 2;
    return type.getReturnType()->isIntegerTy(32) && type.getNumParams() == fixed &&
           llvm::all_of(type.params(), [](const llvm::Type* each) { return each->isPointerTy(); });
  }

  static llvm::Error refuse(const llvm::CallInst& call, std::string what, std::string hint) {
    return toLlvm({.code = ErrorCode::PortableRule,
                   .message = "printf: " + std::move(what),
                   .hint = std::move(hint),
                   .stage = "import",
                   .location = locationOf(call)});
  }

  llvm::Error rewritePlain(llvm::CallInst& call) {
    std::string types;
    llvm::SmallVector<llvm::Type*> elements;
    for (unsigned i = 1; i < call.arg_size(); ++i) {
      elements.push_back(call.getArgOperand(i)->getType());
      types += call.isByValArgument(i) ? '\0' : letterOf(*elements.back());
      if (types.back() == '\0') return refuseArgument(call, i);
    }
    llvm::Value* block = llvm::ConstantPointerNull::get(llvm::PointerType::get(module_.getContext(), 0));
    llvm::IRBuilder<> builder(&call);
    if (!elements.empty()) {
      auto* const type = llvm::StructType::get(module_.getContext(), elements);
      llvm::BasicBlock& entry = call.getFunction()->getEntryBlock();
      block = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type, nullptr, "printed");
      for (unsigned i = 0; i < elements.size(); ++i)
        builder.CreateStore(call.getArgOperand(i + 1), builder.CreateStructGEP(type, block, i));
    }
    replace(call, *block, std::move(types));
    return llvm::Error::success();
  }

  llvm::Error rewritePacked(llvm::CallInst& call) {
    llvm::Value* const block = call.getArgOperand(1);
    std::string types;
    if (!llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(block)) {
      const auto* const slot = llvm::dyn_cast<llvm::AllocaInst>(block->stripPointerCasts());
      const auto* const packed = slot ? llvm::dyn_cast<llvm::StructType>(slot->getAllocatedType()) : nullptr;
      if (!packed)
        return refuse(call, "the packed arguments are not a local structure", "call printf itself, with the arguments");
      for (unsigned i = 0; i < packed->getNumElements(); ++i) {
        types += letterOf(*packed->getElementType(i));
        if (types.back() == '\0') return refuseArgument(call, i + 1);
      }
    }
    replace(call, *block, std::move(types));
    return llvm::Error::success();
  }

  static llvm::Error refuseArgument(const llvm::CallInst& call, unsigned argument) {
    return refuse(call, "argument " + std::to_string(argument) + " is neither a number nor a pointer",
                  "print its members one by one");
  }

  void replace(llvm::CallInst& call, llvm::Value& block, std::string types) {
    llvm::Value* const format = call.getArgOperand(0);
    markStrings(*format, types);
    llvm::Type* const pointer = format->getType();
    const llvm::FunctionCallee print =
        module_.getOrInsertFunction(abiEntry(AbiId::print).symbol, call.getType(), pointer, pointer, pointer);
    llvm::IRBuilder<> builder(&call);
    llvm::Constant*& text = texts_[types];
    if (!text) text = builder.CreateGlobalString(types, "lathe.print.types");
    llvm::CallInst* const made = builder.CreateCall(print, {format, &block, text});
    made->addFnAttr(
        llvm::Attribute::NoMerge);  // where both ways print, one call would have a format that is no literal
    call.replaceAllUsesWith(made);
    call.eraseFromParent();
  }

  llvm::Module& module_;
  llvm::StringMap<llvm::Constant*> texts_;
};

}  // namespace

llvm::Error canonicalisePrint(llvm::Module& module) {
  return PrintRewriter(module).run();
}

}  // namespace lathe::detail
