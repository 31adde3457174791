// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL's status codes: their names, and what they are to Lathe.
#pragma once

#include <string_view>

#include <lathe/result.h>

#include "runtimes/opencl/opencl_types.h"

namespace lathe::detail {

/// "CL_OUT_OF_RESOURCES"; "an unknown code" for one that the specification lacks.
[[nodiscard]] std::string_view clStatusName(ClStatus status) noexcept;

/// `doing` names the failed step: "building a program".
[[nodiscard]] Error clErrorOf(ClStatus status, std::string_view doing);

}  // namespace lathe::detail
