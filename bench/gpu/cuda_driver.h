// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver's calls that the benchmarks compare Lathe with, opened at run time, so that no toolkit is needed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <lathe/runtime.h>

namespace lathe::bench::gpu {

/// One device's primary context, current on the calling thread. What fails after open() ends the program.
class CudaDriver {
 public:
  using Function = void*;
  using StreamHandle = void*;
  using Event = void*;
  using GraphRun = void*;

  /// Nothing, and the reason in `why`, without a driver or that device.
  [[nodiscard]] static std::optional<CudaDriver> open(int device, std::string& why);
  [[nodiscard]] int cacheBytes() const;
  /// A function of a cubin or PTX text; the module stays loaded.
  [[nodiscard]] Function load(const std::string& code, const std::string& symbol) const;
  struct Use {
    int registers = 0, localBytes = 0;
  };
  /// What an item of the loaded function takes.
  [[nodiscard]] Use resources(Function function) const;
  /// cuLaunchKernel and nothing else.
  void launch(Function function, Extent3 grid, Extent3 group, StreamHandle stream,
              std::span<const void* const> arguments) const {
    const int code = launchKernel_(function, grid.x, grid.y, grid.z, group.x, group.y, group.z, 0, stream,
                                   const_cast<void**>(arguments.data()), nullptr);
    if (code != 0) refuse("cuLaunchKernel", code);
  }
  [[nodiscard]] Event createEvent() const;
  void record(Event event, StreamHandle stream) const;
  /// Waits for `end`.
  [[nodiscard]] double elapsed(Event begin, Event end) const;
  void synchronize(StreamHandle stream) const;
  /// What `queue` gives the stream, as a graph that may be launched; never released.
  [[nodiscard]] GraphRun capture(StreamHandle stream, const std::function<void()>& queue) const;
  void launch(GraphRun graph, StreamHandle stream) const { check("cuGraphLaunch", launchGraph_(graph, stream)); }

 private:
  CudaDriver() = default;
  [[noreturn]] void refuse(const char* call, int code) const;
  void check(const char* call, int code) const {
    if (code != 0) refuse(call, code);
  }

  int device_ = 0;
  int (*init_)(unsigned) = nullptr;
  int (*getDevice_)(int*, int) = nullptr;
  int (*getAttribute_)(int*, int, int) = nullptr;
  int (*retainContext_)(void**, int) = nullptr;
  int (*setContext_)(void*) = nullptr;
  int (*loadModule_)(void**, const void*) = nullptr;
  int (*getFunction_)(Function*, void*, const char*) = nullptr;
  int (*getFunctionAttribute_)(int*, int, Function) = nullptr;
  int (*launchKernel_)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, StreamHandle,
                       void**, void**) = nullptr;
  int (*createEvent_)(Event*, unsigned) = nullptr;
  int (*recordEvent_)(Event, StreamHandle) = nullptr;
  int (*synchronizeEvent_)(Event) = nullptr;
  int (*elapsedTime_)(float*, Event, Event) = nullptr;
  int (*synchronizeStream_)(StreamHandle) = nullptr;
  int (*beginCapture_)(StreamHandle, int) = nullptr;
  int (*endCapture_)(StreamHandle, void**) = nullptr;
  int (*instantiateGraph_)(GraphRun*, void*, unsigned long long) = nullptr;
  int (*launchGraph_)(GraphRun, StreamHandle) = nullptr;
  int (*getErrorName_)(int, const char**) = nullptr;
};

}  // namespace lathe::bench::gpu
