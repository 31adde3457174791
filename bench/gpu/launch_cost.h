// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of a launch for the host, through Lathe and through cuLaunchKernel alone.
#pragma once

#include <lathe/runtime.h>

#include "cuda_driver.h"

namespace lathe::bench::gpu {

/// Prints the table of `launches` launches of an empty kernel by each way.
void launchCost(const CudaDriver& driver, const Device& device, Stream& stream, unsigned launches);

}  // namespace lathe::bench::gpu
