// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of a request to launch, at once or in a graph.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include <lathe/runtime/kernel.h>

namespace lathe::detail {

class LoadedKernel;

/// Allocates nothing unless it fails. Errors: LaunchInvalid, ArgumentMismatch.
[[nodiscard]] Result<void> checkRequest(const LoadedKernel& kernel, const LaunchOptions& options,
                                        std::span<const void* const> arguments);

/// The items of a group with which the most items run at once. Errors: LaunchInvalid, DriverError.
[[nodiscard]] Result<std::uint32_t> bestGroupSize(const LoadedKernel& kernel,
                                                  const std::function<std::uint32_t(std::uint32_t)>& dynamicShared);

}  // namespace lathe::detail
