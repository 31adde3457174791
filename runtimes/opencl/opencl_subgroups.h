// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subgroups of devices whose kernels cannot ask for a size: OpenCL 2.1, 3.0 and cl_khr_subgroups tell of a built kernel
// which size it got ("clGetKernelSubGroupInfo" of the Khronos OpenCL API specification).
#pragma once

#include <cstddef>
#include <string_view>

#include "runtimes/opencl/opencl_functions.h"

namespace lathe::detail {

/// The function of the device's platform; null if it has none. `ofLibrary`: the library's own, of OpenCL 2.1 and later.
[[nodiscard]] ClGetKernelSubGroupInfo subgroupQueryOf(const ClFunctions& cl, ClGetKernelSubGroupInfo ofLibrary,
                                                      ClPlatform platform, std::string_view version,
                                                      std::string_view extensions);

/// The items of a subgroup of `kernel` in a group of `items`; 0: the device does not say.
[[nodiscard]] std::size_t subgroupItemsOf(ClGetKernelSubGroupInfo query, ClKernel kernel, ClDevice device,
                                          std::size_t items);

/// What subgroups of the device have for items, of a short kernel that is built in `language` ("CL3.0") for it; 0: it
/// has none.
[[nodiscard]] std::size_t usualSubgroupOf(const ClFunctions& cl, ClGetKernelSubGroupInfo query, ClDevice device,
                                          std::string_view language);

}  // namespace lathe::detail
