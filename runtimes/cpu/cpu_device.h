// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's cores as a device. Memory is host memory; the default stream runs in the caller; created streams have a
// thread each, and are run by whoever waits for them. A kernel that touches memory it must not raises the signal that
// any native code would; one that fails an assertion or traps ends its launch.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "runtimes/common/driver.h"
#include "runtimes/cpu/group_scheduler.h"
#include "runtimes/cpu/memory/buffers.h"
#include "runtimes/cpu/work_queue.h"

namespace lathe::detail {

class CpuDevice final : public DeviceDriver {
 public:
  /// `scheduler` outlives the device.
  CpuDevice(DeviceInfo info, const GroupScheduler& scheduler) : DeviceDriver(std::move(info)), scheduler_(scheduler) {}

  [[nodiscard]] const GroupScheduler& scheduler() const noexcept { return scheduler_; }
  /// What was allocated and not freed.
  [[nodiscard]] const DeviceBuffers& buffers() const noexcept { return buffers_; }
  /// Waits for what the created streams were given so far.
  void drainStreams() const;
  /// The same; then the first failure of each since somebody asked, of which the first.
  [[nodiscard]] Result<void> finishStreams() const;

  Result<std::shared_ptr<LoadedModule>> load(const Image& image) override;
  Result<std::shared_ptr<LoadedModule>> loadWith(const Image& image, const HostSymbols& symbols) override;
  [[nodiscard]] std::size_t preference(const FatImageEntry& entry) const override;
  Result<void*> allocate(std::size_t bytes) override;
  void free(void* address) noexcept override;
  Result<void> upload(void* to, const void* from, std::size_t bytes) override;
  Result<void> download(void* to, const void* from, std::size_t bytes) override;
  Result<void> fill(void* to, std::uint8_t value, std::size_t bytes) override;
  Result<std::unique_ptr<StreamDriver>> createStream(const StreamOptions& options) override;
  /// All memory is one kind here.
  Result<void*> allocateReached(std::size_t bytes, MemoryKind) override { return allocate(bytes); }
  void freeReached(void* address, MemoryKind) noexcept override { free(address); }
  Result<void> copyWithin(void* to, const void* from, std::size_t bytes) override { return upload(to, from, bytes); }
  Result<void> synchronize() override;
  [[nodiscard]] bool givesState() const noexcept override { return true; }

 private:
  template <class Visit>
  void forStreams(const Visit& visit) const;

  const GroupScheduler& scheduler_;
  DeviceBuffers buffers_;
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<WorkQueue>> queues_;  ///< of created streams; places of dead ones are used again
  std::atomic<std::size_t> queueCount_ = 0;       ///< their number; launches look at it without the lock
};

}  // namespace lathe::detail
