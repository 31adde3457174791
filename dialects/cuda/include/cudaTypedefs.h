// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of pointers to functions of the driver API, which host code asks the driver for by name.
#ifndef LATHE_CUDA_TYPEDEFS_H
#define LATHE_CUDA_TYPEDEFS_H

#include <cuda.h>

#define LATHE_CUDA_POINTER(name, version)          \
  typedef decltype(&name) PFN_##name##_v##version; \
  typedef PFN_##name##_v##version PFN_##name;
LATHE_CUDA_POINTER(cuGetErrorString, 6000)
LATHE_CUDA_POINTER(cuMemsetD8Async, 3020)
LATHE_CUDA_POINTER(cuMemsetD16Async, 3020)
LATHE_CUDA_POINTER(cuMemsetD32Async, 3020)
LATHE_CUDA_POINTER(cuTensorMapEncodeTiled, 12000)
LATHE_CUDA_POINTER(cuTensorMapEncodeIm2col, 12000)
LATHE_CUDA_POINTER(cuTensorMapReplaceAddress, 12000)
#undef LATHE_CUDA_POINTER

#endif
