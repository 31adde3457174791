// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rate of the driver's own copies within the device's memory, which kernels that move memory are measured by.
#pragma once

#include <lathe/runtime.h>

#include "cuda_driver.h"

namespace lathe::bench::gpu {

/// GB/s of reads and writes together: the median of copies of 1 GiB, timed by events on `stream`.
[[nodiscard]] double copyCeiling(const CudaDriver& driver, const Device& device, Stream& stream);

}  // namespace lathe::bench::gpu
