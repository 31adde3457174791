// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error of a compile that its caller stopped.
#pragma once

#include <string_view>

#include <lathe/result.h>

namespace lathe::detail {

/// `stage`: the one that was stopped; empty: none had begun, or it is not known.
inline Error cancelled(std::string_view stage = {}) {
  return {.code = ErrorCode::Cancelled, .message = "the compile was cancelled", .stage = std::string(stage)};
}

}  // namespace lathe::detail
