// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of kernels on a GPU. Each queue, the default stream included, has one: in host memory that the device
// reaches, so that reading what kernels left costs no copy. It is made by the first launch that needs it.
//
// A state may be read and emptied only while no kernel uses it. A queue therefore counts its launches: whoever waits
// for the device notes the count before, and reads only if nobody launched since.
//
// Kernels in graphs use the state of the default queue, which lives as long as the device: a graph may outlive the
// stream that it was captured from. Each launch of such a graph counts; adding to a graph launches nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "runtimes/common/gpu/gpu_api.h"
#include "runtimes/common/gpu/gpu_parameters.h"
#include "runtimes/common/kernel_state.h"

namespace lathe::detail {

class GpuQueueState {
 public:
  using Status = GpuApi::Status;
  GpuQueueState() = default;
  GpuQueueState(const GpuQueueState&) = delete;
  GpuQueueState& operator=(const GpuQueueState&) = delete;

  /// What one launch needs of its state.
  struct Launch {
    std::uint64_t kernel = 0;   ///< KernelState::kernel
    abi::Heap* heap = nullptr;  ///< may be null
    bool grid = false;          ///< waits for its grid
    bool counts = true;         ///< false: it is added to a graph, whose launches launchGraph() counts
  };

  /// Calls enqueue(state), which queues one launch and returns the driver's status. Safe from any thread, with the
  /// device's context current.
  template <class Enqueue>
  Status launch(const GpuApi& api, const Launch& launch, const Enqueue& enqueue) {
    const std::scoped_lock lock(mutex_);
    if (const Status status = prepare(api, launch.grid); status != 0) return status;
    if (launch.counts) ++launches_;
    return enqueue(abi::KernelState{&memory_.exception(), &memory_.print(), launch.kernel, launch.heap, grid_});
  }
  /// The same for a graph with kernels that use this state; `grid`: some of them wait for their grid.
  template <class Enqueue>
  Status launchGraph(const GpuApi& api, bool grid, const Enqueue& enqueue) {
    const std::scoped_lock lock(mutex_);
    if (const Status status = prepare(api, grid); status != 0) return status;
    ++launches_;
    return enqueue();
  }
  [[nodiscard]] std::uint64_t launches() const {
    const std::scoped_lock lock(mutex_);
    return launches_;
  }
  /// Prints what was printed and returns the failure, if there was one, once. Does nothing unless the queue's launches
  /// are still the `seen` ones, all of which are done.
  Result<void> collect(std::uint64_t seen, PrintOutput& output, const KernelNumbers& names, std::string_view target);
  /// What its launches take by reference.
  [[nodiscard]] GpuParameterMemory& parameters() noexcept { return parameters_; }
  /// Whether there is anything to release.
  [[nodiscard]] bool used() const {
    const std::scoped_lock lock(mutex_);
    return memory_.exists() || parameters_.exists();
  }
  /// For the queue's end, once its work is done.
  void release(const GpuApi& api) noexcept;

 private:
  /// Makes what launches need, and with `grid` a barrier that no failed kernel left in the middle of a round.
  Status prepare(const GpuApi& api, bool grid);

  mutable std::mutex mutex_;
  StateMemory memory_;
  abi::GridBarrier* grid_ = nullptr;  ///< made by the first launch that waits for its grid
  bool spoilt_ = false;               ///< groups may have failed on their way to it
  std::uint64_t launches_ = 0;
  GpuParameterMemory parameters_;
};

/// Memory on a device that its kernels allocate from. Made when the first kernel that does is launched.
class GpuHeap {
 public:
  /// As much as CUDA's own heap has.
  static constexpr std::size_t defaultBytes = std::size_t{8} << 20;
  /// What LATHE_HEAP_BYTES says, or the default. Errors: InvalidArgument.
  [[nodiscard]] static Result<std::size_t> bytes();

  [[nodiscard]] bool exists() const {
    const std::scoped_lock lock(mutex_);
    return memory_ != nullptr;
  }
  /// The heap in `out`, of `bytes` if it is made now. Safe from any thread, with the device's context current.
  GpuApi::Status get(abi::Heap*& out, std::size_t bytes, const GpuApi& api);
  /// For the device's end, once its work is done.
  void release(const GpuApi& api) noexcept;

 private:
  mutable std::mutex mutex_;
  void* memory_ = nullptr;
};

/// The states of a device's queues.
class GpuStates {
 public:
  explicit GpuStates(std::string_view target) : target_(target) {}
  [[nodiscard]] GpuQueueState& defaultQueue() noexcept { return *default_; }
  [[nodiscard]] KernelNumbers& kernels() noexcept { return kernels_; }
  /// For a new queue.
  [[nodiscard]] std::shared_ptr<GpuQueueState> add();

  /// Waits by `wait` for the work of all queues, and collects from all.
  template <class Wait>
  Result<void> around(PrintOutput& output, const Wait& wait) {
    const auto seen = launched();
    if (auto done = wait(); !done) return done;
    Result<void> out;
    for (const Seen& one : seen) {
      auto collected = one.queue->collect(one.launches, output, kernels_, target_);
      if (!collected && out) out = std::move(collected);
    }
    return out;
  }
  /// The same for one queue.
  template <class Wait>
  Result<void> around(GpuQueueState& queue, PrintOutput& output, const Wait& wait) {
    const std::uint64_t launches = queue.launches();
    if (auto done = wait(); !done) return done;
    return queue.collect(launches, output, kernels_, target_);
  }

 private:
  struct Seen {
    std::shared_ptr<GpuQueueState> queue;
    std::uint64_t launches;
  };
  /// The queues that have launched kernels with a state.
  [[nodiscard]] std::vector<Seen> launched() const;

  std::string_view target_;
  KernelNumbers kernels_;
  std::shared_ptr<GpuQueueState> default_ = std::make_shared<GpuQueueState>();
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<GpuQueueState>> queues_;  ///< places of dead ones are used again
};

}  // namespace lathe::detail
