// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtimes over a GPU vendor's library have in common before a device is open: the library is opened once, on
// the first question, and devices are counted and described by it.
#pragma once

#include "runtimes/common/gpu/gpu_device.h"
#include "runtimes/common/registry.h"

namespace lathe::detail {

/// The limits that the vendors' attributes name alike. `ask(field, attribute)` writes one; `Attribute` is their
/// enumeration.
template <class Attribute, class Ask>
void describeLimits(DeviceInfo& out, const Ask& ask) {
  ask(out.multiprocessors, Attribute::multiprocessors);
  ask(out.subgroupSize, Attribute::warpSize);
  ask(out.maxItemsPerGroup, Attribute::maxThreadsPerBlock);
  ask(out.maxGroup.x, Attribute::maxBlockX);
  ask(out.maxGroup.y, Attribute::maxBlockY);
  ask(out.maxGroup.z, Attribute::maxBlockZ);
  ask(out.maxGrid.x, Attribute::maxGridX);
  ask(out.maxGrid.y, Attribute::maxGridY);
  ask(out.maxGrid.z, Attribute::maxGridZ);
}

/// The number that the vendors, alike, give a limit: CUlimit, hipLimit_t.
constexpr int numberOfLimit(DeviceLimit which) {
  switch (which) {
    case DeviceLimit::stackBytes:
      return 0;
    case DeviceLimit::printBytes:
      return 1;
    case DeviceLimit::heapBytes:
      break;
  }
  return 2;
}

/// The runtime over the library that `library()` opens. `library` returns the same result each time, for the life of
/// the process: `const Result<std::unique_ptr<const Api>>&`.
template <auto library>
constexpr Runtime gpuRuntime(const char* name) {
  return {.name = name,
          .deviceCount = []() -> Result<int> {
            const auto& api = library();
            if (!api) return api.error();
            return (*api)->deviceCount();
          },
          .open = [](int index) -> Result<std::shared_ptr<DeviceDriver>> {
            const auto& api = library();
            if (!api) return api.error();
            auto info = (*api)->describe(index);
            if (!info) return std::move(info).error();
            return openGpuDevice(**api, *std::move(info));
          },
          .adopt = [](void* context) -> Result<std::shared_ptr<DeviceDriver>> {
            const auto& api = library();
            if (!api) return api.error();
            int index = 0;
            const GpuApi::Status status = (*api)->deviceOf(index, context);
            if (status == GpuApi::unsupported) return std::shared_ptr<DeviceDriver>();
            if (status != 0) return (*api)->error(status, "looking at a context");
            auto info = (*api)->describe(index);
            if (!info) return std::move(info).error();
            return adoptGpuContext(**api, *std::move(info), context);
          }};
}

}  // namespace lathe::detail
