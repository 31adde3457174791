// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors as frames: CBOR (core/values/cbor.h), as all values that travel between processes.
#pragma once

#include <string>
#include <string_view>

#include <lathe/result.h>

namespace lathe::detail {

/// The error for frames that do not hold what their reader expects.
[[nodiscard]] Error brokenFrame();

/// An error as a frame, and back; broken bytes give brokenFrame().
[[nodiscard]] std::string encodeError(const Error& error);
[[nodiscard]] Error decodeError(std::string_view bytes);

}  // namespace lathe::detail
