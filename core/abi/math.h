// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematics of portable IR (math.def) as data.
#pragma once

#include <optional>
#include <string_view>

#include "llvm/IR/Intrinsics.h"

namespace lathe::detail {

struct MathFunction {
  std::string_view name;       ///< of the double form: "sin"
  std::string_view signature;  ///< "TT"
  llvm::Intrinsic::ID intrinsic;
};

/// A function and the precision it is asked for in.
struct MathUse {
  const MathFunction* function;
  bool isDouble;
};

/// By libm symbol: "sinf", "sin".
std::optional<MathUse> findMath(std::string_view symbol);
/// By LLVM intrinsic; null if it is no libm function.
const MathFunction* findMath(llvm::Intrinsic::ID intrinsic);

}  // namespace lathe::detail
