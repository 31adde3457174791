// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of kernels that crash (lathe::reportKernelCrashes): signal handlers that say which kernel it was, and then
// leave the signal to the handlers that were there before.
#pragma once

#include <atomic>
#include <cstdint>

namespace lathe::detail {

namespace crash {
extern std::atomic<bool> reported;  ///< reportKernelCrashes() was called
void giveSignalStack() noexcept;
/// Where the thread was when its signal came, by the handler's third argument.
[[nodiscard]] std::uint64_t counterOf(const void* context) noexcept;
}  // namespace crash

/// On a thread that is about to run kernels: where crashes are reported, an alternate signal stack if it has none, so
/// that a stack overflow is reported too.
inline void prepareForCrashes() noexcept {
  if (crash::reported.load(std::memory_order_relaxed)) crash::giveSignalStack();
}

}  // namespace lathe::detail
