// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts allocations: the program defines malloc and its family itself, so that every caller in it, Lathe's libraries
// and operator new included, is seen.
#pragma once

#include <cstdint>

namespace lathe::bench {

/// Allocations that the calling thread has made so far.
[[nodiscard]] std::uint64_t allocationCount() noexcept;

}  // namespace lathe::bench
