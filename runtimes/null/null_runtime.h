// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a test can see of the null runtime.
#pragma once

#include <cstdint>

namespace lathe::detail {

/// Launches made so far in this process.
[[nodiscard]] std::uint64_t nullLaunches() noexcept;

}  // namespace lathe::detail
