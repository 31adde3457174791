// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches against what kernels were specialised for (Promises).
#pragma once

#include <span>

#include <lathe/runtime.h>

namespace lathe::detail {

/// Whether the code was compiled for certain arguments.
[[nodiscard]] bool hasPromises(const EntryPoint& entry) noexcept;

/// Whether the arguments, one for each parameter, are what the code was compiled for. Allocates nothing unless it
/// fails. Errors: ArgumentMismatch.
[[nodiscard]] Result<void> checkArguments(const EntryPoint& entry, std::span<const void* const> arguments);

/// What one launch of the kernel passes, as promises; `promises` but for that.
[[nodiscard]] Promises promisesOf(const EntryPoint& entry, std::span<const void* const> arguments, Promises promises);

}  // namespace lathe::detail
