// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file without kernels: its PTX stays nvcc's.
#include "scale.h"

int countDevices() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}
