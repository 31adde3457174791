// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Look-up in the table of mathematics.
#include "core/abi/math.h"

#include <algorithm>
#include <iterator>

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

namespace lathe::detail {
namespace {

using Own = MathFunction::Own;
constexpr MathFunction functions[] = {
#define LATHE_MATH(name, signature, intrinsic) {#name, signature, llvm::Intrinsic::intrinsic, Own::no},
#define LATHE_SPARE_MATH(name, signature, intrinsic) {#name, signature, llvm::Intrinsic::intrinsic, Own::spare},
#define LATHE_OWN_MATH(name, signature, intrinsic) {#name, signature, llvm::Intrinsic::intrinsic, Own::yes},
#include "core/abi/math.def"
};

}  // namespace

std::span<const MathFunction> mathFunctions() {
  return functions;
}

std::optional<MathUse> findMath(std::string_view symbol) {
  for (const MathFunction& function : functions) {
    if (!symbol.starts_with(function.name)) continue;
    if (symbol.size() == function.name.size()) return MathUse{&function, true};
    if (symbol.size() == function.name.size() + 1 && symbol.back() == 'f') return MathUse{&function, false};
  }
  return std::nullopt;
}

bool matchesMath(const MathUse& use, const llvm::FunctionType& type) {
  const std::string_view signature = use.function->signature;
  if (type.getNumParams() + 1 != signature.size() || type.isVarArg()) return false;
  const auto fits = [&](char letter, const llvm::Type* is) {
    if (letter == 'i') return is->isIntegerTy(32);
    return use.isDouble ? is->isDoubleTy() : is->isFloatTy();
  };
  if (!fits(signature[0], type.getReturnType())) return false;
  for (unsigned i = 0; i < type.getNumParams(); ++i) {
    if (!fits(signature[i + 1], type.getParamType(i))) return false;
  }
  return true;
}

llvm::Function* mathIntrinsic(const MathUse& use, llvm::CallInst& call) {
  llvm::SmallVector<llvm::Type*, 2> overloads = {call.getType()};
  if (use.function->signature.back() == 'i') overloads.push_back(call.getArgOperand(call.arg_size() - 1)->getType());
  return llvm::Intrinsic::getOrInsertDeclaration(call.getModule(), use.function->intrinsic, overloads);
}

const MathFunction* findMath(llvm::Intrinsic::ID intrinsic) {
  if (intrinsic == llvm::Intrinsic::not_intrinsic) return nullptr;
  const auto* const found = std::ranges::find(functions, intrinsic, &MathFunction::intrinsic);
  return found == std::end(functions) ? nullptr : found;
}

}  // namespace lathe::detail
