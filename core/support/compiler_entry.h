// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function by which the runtime library, which does not link the compiler, reaches it after dlopen.
#pragma once

#include <cstddef>

namespace lathe::detail {

/// Receives the image's bytes, or a message; one of both is empty. They live for the call only.
using DeliverImage = void(void* context, const char* bytes, std::size_t size, const char* error);
/// Compiles a portable image for the target whose images `runtime` loads, and the architecture `arch` if the target
/// knows it. Calls `deliver` once. Thread-safe.
using CompilerEntry = void(const char* image, std::size_t bytes, const char* runtime, const char* arch,
                           DeliverImage* deliver, void* context);
inline constexpr const char* compilerEntryName = "lathe_compile_portable";

}  // namespace lathe::detail
