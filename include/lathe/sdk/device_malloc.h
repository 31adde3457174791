// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a target's device.cpp: memory for kernels from the malloc and free that the target's own run-time library has.
// The descriptor's `externals` name them. <lathe/sdk/device_heap.h> is for targets without.
#ifndef LATHE_SDK_DEVICE_MALLOC_H
#define LATHE_SDK_DEVICE_MALLOC_H

#include <lathe/sdk/device_abi.h>

extern "C" {
void* malloc(__SIZE_TYPE__);
void free(void*);
}

extern "C" __attribute__((always_inline)) void* __lathe_allocate(unsigned long long bytes) {
  // A number that the machine's sizes do not reach is more than it has.
  return bytes == static_cast<__SIZE_TYPE__>(bytes) ? malloc(static_cast<__SIZE_TYPE__>(bytes)) : nullptr;
}
extern "C" __attribute__((always_inline)) void __lathe_release(const void* memory) {
  free(const_cast<void*>(memory));
}

#endif
