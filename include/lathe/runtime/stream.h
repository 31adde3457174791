// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues of work and points in them. Device::createStream() makes a queue (<lathe/runtime.h>); kernels are launched on
// it by LaunchOptions::stream (<lathe/runtime/kernel.h>), and what is queued can be kept and launched again as a Graph
// (<lathe/runtime/graph.h>).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include <lathe/export.h>
#include <lathe/result.h>
#include <lathe/runtime/memory.h>

namespace lathe {

namespace detail {
class EventDriver;
class Capture;
struct BlockCopy;
}  // namespace detail

class Graph;

/// A point in the work of a stream, made by Stream::record(). Move-only. Keeps its device open, and may outlive its
/// stream. Any number of threads may use it.
class LATHE_API Event {
 public:
  Event(Event&&) noexcept;
  Event& operator=(Event&&) noexcept;
  ~Event();
  /// Waits until the work before the point is done; on the CPU, runs here what has not begun. Errors: DeviceFault,
  /// DriverError. What kernels reported on the CPU comes with Stream::synchronize().
  [[nodiscard]] Result<void> synchronize() const;
  /// Waits for both points, and returns the milliseconds that the device took from this one to `later`. Errors:
  /// InvalidArgument (`later` is of another device), DeviceFault, DriverError.
  [[nodiscard]] Result<double> elapsedUntil(const Event& later) const;

 private:
  friend class Stream;
  Event() = default;
  std::shared_ptr<detail::DeviceDriver> driver_;
  std::unique_ptr<detail::EventDriver> event_;
};

/// The properties of a new stream.
struct StreamOptions {
  /// Work of a stream with a lower number is preferred to that of a higher one, where the device has more than one
  /// priority; beyond what it has, the nearest. 0 is everybody's.
  int priority = 0;
};

/// An in-order queue of work, used by one thread at a time. It is ordered with the default stream and with copies: what
/// comes later there waits for what was queued here before. Move-only. Work that is still queued when the stream is
/// destroyed is done, but its errors are lost: call synchronize() first.
///
/// On the CPU a thread that waits for work that has not begun runs it: synchronize(), copies, fills, freeing memory and
/// launches on the default stream may run queued kernels on the calling thread, and need the stack that those do.
///
/// Copies, fills and calls return at once where the runtime can queue them ("cuda", "hip", "cpu", "opencl"), and
/// elsewhere when they are done; what they read and write must stay until then. A copy from or to pageable host memory
/// may wait for the stream.
class LATHE_API Stream {
 public:
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  ~Stream();
  /// Waits for everything queued; on the CPU, runs here what has not begun. Errors: DeviceFault, CheckFailed,
  /// OutOfHostMemory, DriverError.
  [[nodiscard]] Result<void> synchronize();
  /// True when everything queued is done. Does not wait. Errors: DeviceFault, DriverError.
  [[nodiscard]] Result<bool> isDone();
  /// Marks the point behind what is queued here. Errors: DeviceFault, OutOfHostMemory, DriverError.
  [[nodiscard]] Result<Event> record();
  /// Lets what is queued here from now on begin only when the event's point is reached. Returns at once. Errors:
  /// InvalidArgument (the event is of another device), DeviceFault, OutOfHostMemory, DriverError.
  [[nodiscard]] Result<void> wait(const Event& event);
  /// Begins to measure what is queued here from now on. Errors: DeviceFault, OutOfHostMemory, DriverError.
  [[nodiscard]] Result<void> recordStart();
  /// Waits, and returns the milliseconds that the device took for what was queued here since recordStart(). Errors:
  /// InvalidArgument (nothing was begun), DeviceFault, OutOfHostMemory, DriverError. What kernels reported on the CPU
  /// comes with synchronize().
  [[nodiscard]] Result<double> elapsedSinceStart();

  /// Queues a copy of `bytes` bytes from the host to `offset`. Errors: InvalidArgument (the range; memory of another
  /// device), DeviceFault, OutOfHostMemory, DriverError.
  [[nodiscard]] Result<void> upload(Memory& to, const void* from, std::size_t bytes, std::size_t offset = 0);
  /// Queues a copy of `bytes` bytes from `offset` to the host. Errors: InvalidArgument (as upload()), DeviceFault,
  /// OutOfHostMemory, DriverError.
  [[nodiscard]] Result<void> download(const Memory& from, void* to, std::size_t bytes, std::size_t offset = 0);
  /// Queues a copy of `bytes` bytes from one memory to the other, which do not overlap. One of them is this stream's
  /// device's; the other may be another device's of the same runtime, or memory of the CPU. Errors: InvalidArgument
  /// (the ranges; memory of neither), DeviceFault, OutOfHostMemory, DriverError.
  [[nodiscard]] Result<void> copy(Memory& to, const Memory& from, std::size_t bytes, std::size_t toOffset = 0,
                                  std::size_t fromOffset = 0);
  /// Queues a copy of a block, which lies at `place` in `to` and at `fromPlace` in the host's memory from `from` on.
  /// Bytes between its rows and slices stay what they are. Errors: as upload(); InvalidArgument (a pitch is too small).
  [[nodiscard]] Result<void> uploadBlock(Memory& to, const BlockPlace& place, const void* from,
                                         const BlockPlace& fromPlace, const BlockSize& size);
  /// Queues a copy of a block to the host. Errors: as uploadBlock().
  [[nodiscard]] Result<void> downloadBlock(const Memory& from, const BlockPlace& place, void* to,
                                           const BlockPlace& toPlace, const BlockSize& size);
  /// Queues a copy of a block between memories as copy() takes them. The two places do not overlap. Errors: as copy();
  /// InvalidArgument (a pitch is too small).
  [[nodiscard]] Result<void> copyBlock(Memory& to, const BlockPlace& toPlace, const Memory& from,
                                       const BlockPlace& fromPlace, const BlockSize& size);
  /// Queues setting every byte. Errors: InvalidArgument (memory of another device), DeviceFault, DriverError.
  [[nodiscard]] Result<void> fill(Memory& memory, std::uint8_t value);
  /// Queues a call of a host function, which runs on some thread when the work before it is done; the work behind it
  /// waits. It must not use the device, and throw nothing. Errors: InvalidArgument (it is empty), OutOfHostMemory,
  /// DriverError.
  [[nodiscard]] Result<void> call(std::function<void()> function);
  /// Queues a copy to the elements from `first` on. Errors: InvalidArgument, DeviceFault, DriverError, as above.
  template <class T>
  [[nodiscard]] Result<void> upload(Buffer<T>& to, std::span<const std::type_identity_t<T>> from,
                                    std::size_t first = 0) {
    return upload(to.memory(), from.data(), from.size_bytes(), to.offsetOf(first));
  }
  /// Queues a copy from the elements from `first` on. Errors: InvalidArgument, DeviceFault, DriverError, as above.
  template <class T>
  [[nodiscard]] Result<void> download(const Buffer<T>& from, std::span<std::type_identity_t<T>> to,
                                      std::size_t first = 0) {
    return download(from.memory(), to.data(), to.size_bytes(), from.offsetOf(first));
  }

  /// Device memory from the device's pool, there for what is queued here from now on, and back in it when the object is
  /// destroyed and what was queued here until then is done. Costs no wait where the driver has pools ("cuda", "hip").
  /// Errors: OutOfDeviceMemory, DeviceFault, DriverError.
  [[nodiscard]] Result<Memory> allocateBytes(std::size_t bytes);
  /// The same for `count` T. Errors: OutOfDeviceMemory, DeviceFault, DriverError.
  template <class T>
  [[nodiscard]] Result<Buffer<T>> allocate(std::size_t count) {
    auto memory = allocateArray(count, sizeof(T));
    if (!memory) return std::move(memory).error();
    return Buffer<T>(*std::move(memory));
  }

  /// Begins to take what is queued here for a graph instead of doing it. Meanwhile nothing here can be waited for, and
  /// launches fail as Graph::add() would.
  /// Errors: InvalidArgument (it has begun already), DriverError.
  [[nodiscard]] Result<void> beginCapture();
  /// Ends that; the graph holds what was queued since. Errors: InvalidArgument (it has not begun), DriverError (the
  /// driver says what was queued that cannot be in a graph).
  [[nodiscard]] Result<Graph> endCapture();
  /// The runtime's own handle (CUstream, hipStream_t), for use with the vendor's API; null on the CPU.
  [[nodiscard]] void* nativeHandle() const noexcept;

 private:
  friend class Device;
  friend class RawKernel;
  friend class GraphRun;
  Stream() noexcept;
  [[nodiscard]] Result<Memory> allocateArray(std::size_t count, std::size_t elementBytes);
  [[nodiscard]] Result<void> copyBytes(void* to, const void* from, std::size_t bytes, int direction);
  [[nodiscard]] Result<int> directionOf(const Memory& to, const Memory& from) const;
  [[nodiscard]] Result<void> copyRows(const detail::BlockCopy& copy, int direction);
  std::shared_ptr<detail::DeviceDriver> driver_;
  std::shared_ptr<detail::StreamDriver> stream_;
  std::unique_ptr<detail::EventDriver> start_;
  std::unique_ptr<detail::Capture> capture_;
};

}  // namespace lathe
