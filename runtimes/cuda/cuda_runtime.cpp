// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The "cuda" runtime: the driver, opened once, and its devices.
#include <array>

#include "runtimes/common/gpu_device.h"
#include "runtimes/common/registry.h"
#include "runtimes/cuda/cuda_api.h"

namespace lathe::detail {
namespace {

/// Never closed: the driver has threads and exit handlers of its own. A failure is final as well, as it is for the
/// driver.
const Result<std::unique_ptr<const CudaApi>>& driver() {
  static constexpr std::array libraries = {"libcuda.so.1", "libcuda.so"};
  static const auto& api = *new Result<std::unique_ptr<const CudaApi>>(CudaApi::open(libraries));
  return api;
}

Result<int> deviceCount() {
  const auto& api = driver();
  if (!api) return api.error();
  return (*api)->deviceCount();
}

Result<std::shared_ptr<DeviceDriver>> open(int index) {
  const auto& api = driver();
  if (!api) return api.error();
  auto info = (*api)->describe(index);
  if (!info) return std::move(info).error();
  return openGpuDevice(**api, *std::move(info));
}

}  // namespace

const Runtime& cudaRuntime() {
  static constexpr Runtime runtime{.name = "cuda", .deviceCount = deviceCount, .open = open};
  return runtime;
}

}  // namespace lathe::detail
