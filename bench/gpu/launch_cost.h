// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of a launch and of a graph's for the host, through Lathe and by the driver's call alone.
#pragma once

#include <lathe/runtime.h>

#include "cuda_driver.h"

namespace lathe::bench::gpu {

/// Prints the tables of `launches` launches of an empty kernel, and of a graph of such kernels, by each way.
void launchCost(const CudaDriver& driver, const Device& device, Stream& stream, unsigned launches);

}  // namespace lathe::bench::gpu
