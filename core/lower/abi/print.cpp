// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printing where the target has C's printf with its own argument passing (descriptor key `printf`): the format, which
// has to be a literal, says what lies in the packed arguments; they are read back out of the memory they were packed
// into and passed one by one. Literals move to the address space that the target's printf reads them from. A long is
// 64 bits; the target's length modifier for that is `printf.long_long` (OpenCL C 6.15.14 has l, C has ll).
//
//   before: %r = call i32 @__lathe_print(ptr @"%lld %s\n", ptr %packed)
//   after:  %a = load i64, ptr %packed      %r = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @"%ld %s\n",
//           i64 %a, ptr addrspace(2) @"text")
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/SROA.h"

#include "core/abi/device_abi.h"
#include "core/abi/print_format.h"
#include "core/lower/abi/print.h"
#include "core/lower/passes/passes.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// A format in the target's spelling, and what it reads: 'i' 32 bits, 'l' 64 bits, 'd' double, 's' string, 'p' pointer.
struct Format {
  std::string text;
  std::string arguments;
  char unknown = 0;  ///< a conversion that is not C's, or %n
};

Format parse(std::string_view rest, llvm::StringRef longLong) {
  Format out;
  while (const auto conversion = nextConversion(rest)) {
    const char letter = conversion->letter;
    const llvm::StringRef length = conversion->length;
    const bool isInteger = letter != '\0' && llvm::StringRef("diouxX").contains(letter);
    const bool isLong = isInteger && length.find_first_of("ljzt") != llvm::StringRef::npos;
    // The other modifiers go: they say nothing that a packed argument's size does not.
    const llvm::StringRef kept = isLong ? longLong : length.take_while([](char c) { return c == 'h'; });
    for (const std::string_view part : {conversion->before, std::string_view("%"), conversion->flags, conversion->width,
                                        conversion->precision, std::string_view(kept)})
      out.text += part;
    if (letter != '\0') out.text += letter;
    if (letter == '%') continue;
    if (conversion->width == "*") out.arguments += 'i';
    if (conversion->precision == ".*") out.arguments += 'i';
    if (isInteger || letter == 'c')
      out.arguments += isLong ? 'l' : 'i';
    else if (letter != '\0' && llvm::StringRef("aAeEfFgG").contains(letter))
      out.arguments += 'd';
    else if (letter == 's' || letter == 'p')
      out.arguments += letter;
    else
      out.unknown = letter == '\0' ? '%' : letter;
  }
  out.text += rest;
  return out;
}

class PrintLowering {
 public:
  explicit PrintLowering(Lowering& lowering)
      : lowering_(lowering), module_(*lowering.module), space_(lowering.descriptor.print.formatSpace) {}

  void run() {
    llvm::Function* const print = module_.getFunction(abiEntry(AbiId::print).symbol);
    if (!print || print->use_empty()) return;
    foldMemory();  // formats travel through local variables without optimisation
    llvm::SmallVector<llvm::CallInst*> calls;
    for (llvm::User* user : print->users()) {
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) calls.push_back(call);
    }
    for (llvm::CallInst* call : calls) {
      if (llvm::Value* const made = replaced(*call)) call->replaceAllUsesWith(made);
      if (!call->use_empty()) call->replaceAllUsesWith(llvm::PoisonValue::get(call->getType()));
      call->eraseFromParent();
    }
    foldMemory();  // and so do the strings in packed arguments
    for (const auto& [call, index] : strings_) placeString(*call, index);
    for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module_.globals())) {
      variable.removeDeadConstantUsers();
      if (variable.use_empty() && variable.isConstant() && variable.hasLocalLinkage()) variable.eraseFromParent();
    }
  }

 private:
  void foldMemory() {
    Pipeline pipeline(lowering_, /*vectorise=*/false);
    llvm::FunctionPassManager functions;
    functions.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    functions.addPass(llvm::InstCombinePass());
    pipeline.run(std::move(functions));
  }

  void refuse(const llvm::CallInst& call, std::string why, std::string hint) {
    lowering_.diagnostics.push_back({.severity = Severity::error,
                                     .code = ErrorCode::Unsupported,
                                     .message = std::move(why),
                                     .location = locationOf(call),
                                     .snippet = {},
                                     .notes = {},
                                     .hint = std::move(hint)});
  }

  /// A literal where printf may read it.
  llvm::GlobalVariable* literal(llvm::StringRef text) {
    llvm::GlobalVariable*& made = literals_[text];
    if (!made) {
      llvm::Constant* const bytes = llvm::ConstantDataArray::getString(module_.getContext(), text);
      made = new llvm::GlobalVariable(module_, bytes->getType(), true, llvm::GlobalValue::InternalLinkage, bytes,
                                      ".print", nullptr, llvm::GlobalValue::NotThreadLocal, space_);
      made->setAlignment(llvm::Align(1));
    }
    return made;
  }

  /// The target's call; null, and a diagnostic, if there can be none.
  llvm::Value* replaced(llvm::CallInst& call) {
    llvm::StringRef text;
    if (!llvm::getConstantStringInfo(call.getArgOperand(0), text)) {
      refuse(call, "a format of printf that is not a literal", "pass a string literal");
      return nullptr;
    }
    const Format format = parse(text, lowering_.descriptor.print.longLong);
    if (format.unknown != 0) {
      std::string message = "printf: conversion 'n' is not known on a device";
      message[message.find("'n'") + 1] = format.unknown;
      refuse(call, std::move(message), "use d, i, o, u, x, X, c, s, p or one for floating point");
      return nullptr;
    }
    llvm::IRBuilder<> builder(&call);
    llvm::SmallVector<llvm::Value*> arguments = {literal(format.text)};
    std::uint64_t offset = 0;
    for (const char kind : format.arguments) {
      llvm::Type* const type = typeOf(builder, kind, call.getArgOperand(1)->getType());
      const std::uint64_t size = kind == 'i' ? 4 : 8;
      offset = llvm::alignTo(offset, size);
      llvm::Value* const place = builder.CreatePtrAdd(call.getArgOperand(1), builder.getInt64(offset));
      arguments.push_back(builder.CreateAlignedLoad(type, place, llvm::Align(size)));
      offset += size;
    }
    llvm::Type* const pointer = llvm::PointerType::get(module_.getContext(), space_);
    const llvm::FunctionCallee function = module_.getOrInsertFunction(
        lowering_.descriptor.print.function, llvm::FunctionType::get(builder.getInt32Ty(), {pointer}, true));
    llvm::CallInst* const made = builder.CreateCall(function, arguments);
    made->addFnAttr(llvm::Attribute::NoBuiltin);  // no puts and putchar here
    for (std::size_t i = 0; i < format.arguments.size(); ++i) {
      if (format.arguments[i] == 's') strings_.emplace_back(made, static_cast<unsigned>(i + 1));
    }
    return made;
  }

  static llvm::Type* typeOf(llvm::IRBuilder<>& builder, char kind, llvm::Type* pointer) {
    if (kind == 'i') return builder.getInt32Ty();
    if (kind == 'd') return builder.getDoubleTy();
    return kind == 'l' ? builder.getInt64Ty() : pointer;
  }

  void placeString(llvm::CallInst& call, unsigned index) {
    if (space_ == 0) return;  // printf reads all memory
    llvm::StringRef text;
    if (!llvm::getConstantStringInfo(call.getArgOperand(index), text)) {
      refuse(call, "printf: a string of %s that is not a literal", "pass a string literal, or print its characters");
      return;
    }
    call.setArgOperand(index, literal(text));
  }

  Lowering& lowering_;
  llvm::Module& module_;
  unsigned space_;
  llvm::StringMap<llvm::GlobalVariable*> literals_;
  std::vector<std::pair<llvm::CallInst*, unsigned>> strings_;
};

}  // namespace

void lowerPrint(Lowering& lowering) {
  if (!lowering.descriptor.print.function.empty()) PrintLowering(lowering).run();
}

}  // namespace lathe::detail
