// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematics: which function of a target's library serves a call.
#pragma once

#include <string>

namespace lathe::detail {

struct DeviceLibrary;
struct Lowering;
struct MathUse;

/// `pattern` with `name` for its {name}: "__nv_{name}f" → "__nv_sinf".
std::string withName(std::string pattern, const std::string& name);

/// How a library calls a math function.
std::string mathSymbol(const DeviceLibrary& library, const MathUse& use);

/// Calls of libm functions and LLVM's math intrinsics become calls of the target's math library, but for those that its
/// back end selects. Returns whether anything changed.
bool lowerMath(Lowering& lowering);

}  // namespace lathe::detail
