// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematics of portable IR (math.def) as data.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

namespace lathe::detail {

struct MathFunction {
  std::string_view name;       ///< of the double form: "sin"
  std::string_view signature;  ///< "TT"
  llvm::Intrinsic::ID intrinsic;
  /// Whether shared_math.cpp has it: not; for libraries that err in theirs; for libraries without.
  enum class Own : std::uint8_t { no, spare, yes } own;
};

/// Functions with two results, which a library may have: for a machine without, they are two functions of the table.
inline constexpr std::string_view mathPairs[] = {"sincos", "sincospi"};

/// What the names of the functions in shared_math.cpp begin with.
inline constexpr std::string_view ownMathPrefix = "__lathe_math_";
/// What the names of the functions in core/device/vector_math.cpp begin with: "expf" of 8 floats is PREFIXexpf_8.
inline constexpr std::string_view vectorMathPrefix = "__lathe_vector_math_";

/// A function and the precision it is asked for in.
struct MathUse {
  const MathFunction* function;
  bool isDouble;
};

/// The whole table.
std::span<const MathFunction> mathFunctions();
/// By libm symbol: "sinf", "sin".
std::optional<MathUse> findMath(std::string_view symbol);
/// Whether a function of that type is what the table says: a user's own `int round(int)` is not.
bool matchesMath(const MathUse& use, const llvm::FunctionType& type);
/// The declaration of LLVM's equal for a call, which there is.
llvm::Function* mathIntrinsic(const MathUse& use, llvm::CallInst& call);
/// By LLVM intrinsic; null if it is no libm function.
const MathFunction* findMath(llvm::Intrinsic::ID intrinsic);

}  // namespace lathe::detail
