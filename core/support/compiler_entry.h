// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function by which the runtime library, which does not link the compiler, reaches it after dlopen.
#pragma once

#include <cstddef>

namespace lathe::detail {

/// The compiler's answer, which lives for the call only.
struct CompilerAnswer {
  const char* image;
  std::size_t imageBytes;
  const char* surroundings;  ///< what the image depends on beside the question (core/store/surroundings.h)
  std::size_t surroundingsBytes;
  const char* error;  ///< a message; empty: there is an image
};
using DeliverAnswer = void(void* context, const CompilerAnswer& answer);
/// Compiles a portable image for the target whose images `runtime` loads, and the architecture `arch` if the target
/// knows it. Calls `deliver` once. Thread-safe.
using CompilerEntry = void(const char* image, std::size_t bytes, const char* runtime, const char* arch,
                           DeliverAnswer* deliver, void* context);
inline constexpr const char* compilerEntryName = "lathe_compile_portable_2";

}  // namespace lathe::detail
