// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every HIP source has read the prelude already. This file stands in for all of HIP's headers that it covers, under
// each of their names. A CUDA source that includes it gets HIP's names on top of its own, with CUDA's warps and
// vectors.
#ifndef LATHE_HIP_RUNTIME_H
#define LATHE_HIP_RUNTIME_H

#include <lathe/hip/names.h>

#endif

// Launches by a function for sources that ask for it before they read this: commas between the kernel's template
// arguments are none between a macro's then, and the rest of the kernel's arguments follows from those of the launch.
#if defined(HIP_TEMPLATE_KERNEL_LAUNCH) && !defined(LATHE_HIP_TEMPLATE_LAUNCH)
#define LATHE_HIP_TEMPLATE_LAUNCH
#undef hipLaunchKernelGGL
template <class... Arguments, class Kernel = void (*)(Arguments...)>
void hipLaunchKernelGGL(Kernel kernel, const dim3& grid, const dim3& block, unsigned bytes, hipStream_t stream,
                        Arguments... arguments) {
  kernel<<<grid, block, bytes, stream>>>(arguments...);
}
#endif

// What AMD's header brings along, by itself and by the C++ library that is common on Linux, for sources that were found to need some of it (implied_headers.h). Behind the guard:
// a source may have read this file before.
#if defined(LATHE_HIP_IMPLIED_HEADERS) && !defined(LATHE_HIP_IMPLIED)
#define LATHE_HIP_IMPLIED
#include <algorithm>
#include <array>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>
#endif
