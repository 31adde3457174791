// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log of a compile in the form of NVRTC's, which programs read to find the headers that are missing.
#pragma once

#include <span>
#include <string>

#include <lathe/result.h>

namespace lathe::nvrtc {

/// "FILE(LINE): error: MESSAGE", each with its line of the source, notes and hint.
[[nodiscard]] std::string logOf(std::span<const Diagnostic> diagnostics);
/// Of a compile that failed, with a last line that counts the errors.
[[nodiscard]] std::string logOf(const Error& error, const std::string& program);

}  // namespace lathe::nvrtc
