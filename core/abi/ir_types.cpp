// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The letters of signatures, each with its LLVM type.
#include "core/abi/ir_types.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace lathe::detail {
namespace {

llvm::Type* typeOf(llvm::LLVMContext& context, char letter, unsigned pointerSpace) {
  switch (letter) {
    case 'v':
      return llvm::Type::getVoidTy(context);
    case 't':
      return llvm::Type::getInt1Ty(context);
    case 'b':
      return llvm::Type::getInt8Ty(context);
    case 'h':
      return llvm::Type::getInt16Ty(context);
    case 'i':
      return llvm::Type::getInt32Ty(context);
    case 'l':
      return llvm::Type::getInt64Ty(context);
    case 'q':
      return llvm::Type::getInt128Ty(context);
    case 'f':
      return llvm::Type::getFloatTy(context);
    case 'd':
      return llvm::Type::getDoubleTy(context);
    case 'p':
      return llvm::PointerType::get(context, pointerSpace);
    default:
      llvm::report_fatal_error("a signature of the ABI has an unknown letter");
  }
}

bool isTypeOf(char letter, llvm::Type* type) {
  return letter == 'p' ? type->isPointerTy() : type == typeOf(type->getContext(), letter, 0);
}

}  // namespace

bool hasSignature(const llvm::FunctionType& type, std::string_view signature) {
  return !type.isVarArg() && type.getNumParams() + 1 == signature.size() &&
         isTypeOf(signature[0], type.getReturnType()) &&
         llvm::all_of(llvm::enumerate(type.params()), [&](const auto& parameter) {
           return isTypeOf(signature[parameter.index() + 1], parameter.value());
         });
}

llvm::FunctionType* functionType(llvm::LLVMContext& context, std::string_view signature, unsigned pointerSpace) {
  llvm::SmallVector<llvm::Type*> parameters;
  for (const char letter : signature.substr(1)) parameters.push_back(typeOf(context, letter, pointerSpace));
  return llvm::FunctionType::get(typeOf(context, signature[0], pointerSpace), parameters, false);
}

}  // namespace lathe::detail
