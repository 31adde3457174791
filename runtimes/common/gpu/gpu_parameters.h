// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory for arguments that kernels take by reference (Parameter::byReference). A launch copies them to memory
// that no queued launch uses, on the queue that it goes to, so that neither waits for the other. Memory is used again
// when all of it was: the queue's work is then waited for.
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "runtimes/common/gpu/gpu_api.h"

namespace lathe::detail {

/// Of one queue. Safe from any thread, with the device's context current.
class GpuParameterMemory {
 public:
  using Status = GpuApi::Status;
  using Handle = GpuApi::Handle;
  using Arguments = std::span<const void* const>;

  GpuParameterMemory() = default;
  GpuParameterMemory(const GpuParameterMemory&) = delete;
  GpuParameterMemory& operator=(const GpuParameterMemory&) = delete;

  /// Calls enqueue(arguments), which queues one launch of `entry` on `stream` and returns the driver's status, with
  /// addresses in place of what the entry takes by reference.
  template <class Enqueue>
  Status launch(const GpuApi& api, Handle stream, const EntryPoint& entry, Arguments arguments,
                const Enqueue& enqueue) {
    const std::scoped_lock lock(mutex_);
    Passed passed;
    if (const Status status = place(api, stream, entry, arguments, passed); status != 0) return status;
    return enqueue(Arguments(passed.arguments));
  }
  [[nodiscard]] bool exists() const {
    const std::scoped_lock lock(mutex_);
    return memory_ != nullptr;
  }
  /// For the queue's end, once its work is done.
  void release(const GpuApi& api) noexcept;

 private:
  struct Passed {
    std::vector<const void*> arguments;
    std::vector<void*> addresses;  ///< to which some of them point
  };
  Status place(const GpuApi& api, Handle stream, const EntryPoint& entry, Arguments arguments, Passed& out);
  /// Makes the next `bytes` free.
  Status reserve(const GpuApi& api, Handle stream, std::size_t bytes);

  mutable std::mutex mutex_;
  void* memory_ = nullptr;
  std::vector<std::byte> host_;  ///< as much, from which the copies are made
  std::size_t used_ = 0;
};

}  // namespace lathe::detail
