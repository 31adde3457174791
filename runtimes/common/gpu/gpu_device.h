// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices, modules, kernels and streams over any GpuApi.
#pragma once

#include <memory>

#include "runtimes/common/driver.h"
#include "runtimes/common/gpu/gpu_api.h"

namespace lathe::detail {

/// Takes part in the device's primary context, which all users of the driver in the process share. Each call makes that
/// context current on the calling thread and leaves it so, as the vendors' own runtimes do.
[[nodiscard]] Result<std::shared_ptr<DeviceDriver>> openGpuDevice(const GpuApi& api, DeviceInfo info);
/// The same in a context of others, which outlives the device.
[[nodiscard]] std::shared_ptr<DeviceDriver> adoptGpuContext(const GpuApi& api, DeviceInfo info, GpuApi::Handle context);

}  // namespace lathe::detail
