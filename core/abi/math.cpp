// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Look-up in the table of mathematics.
#include "core/abi/math.h"

#include <algorithm>
#include <iterator>

namespace lathe::detail {
namespace {

constexpr MathFunction functions[] = {
#define LATHE_MATH(name, signature, intrinsic) {#name, signature, llvm::Intrinsic::intrinsic},
#include "core/abi/math.def"
};

}  // namespace

std::optional<MathUse> findMath(std::string_view symbol) {
  for (const MathFunction& function : functions) {
    if (!symbol.starts_with(function.name)) continue;
    if (symbol.size() == function.name.size()) return MathUse{&function, true};
    if (symbol.size() == function.name.size() + 1 && symbol.back() == 'f') return MathUse{&function, false};
  }
  return std::nullopt;
}

const MathFunction* findMath(llvm::Intrinsic::ID intrinsic) {
  if (intrinsic == llvm::Intrinsic::not_intrinsic) return nullptr;
  const auto* const found = std::ranges::find(functions, intrinsic, &MathFunction::intrinsic);
  return found == std::end(functions) ? nullptr : found;
}

}  // namespace lathe::detail
