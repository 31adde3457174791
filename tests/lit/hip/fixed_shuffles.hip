// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of waves of 64 no shuffle by constants takes more instructions than what Clang makes of AMD's own header, which reads all of
// them by address, after the comparisons that Inputs/amd_shuffles.h has.
//
// RUN: %compile %s -t amdgpu:gfx90a --emit asm -o %t.lathe.s
// RUN: clang -x hip --offload-arch=gfx90a -nogpulib -nogpuinc --cuda-device-only -include %S/../Inputs/amd_shuffles.h -O3 -S %s -o %t.clang.s
// RUN: %python %S/../Inputs/fewer_instructions.py %t.lathe.s %t.clang.s
#ifndef AMD_SHUFFLES
#include <hip/hip_runtime.h>
#endif
#define KERNEL(name, call)                       \
  extern "C" __global__ void name(int* values) { \
    const int v = values[threadIdx.x];           \
    values[threadIdx.x] = call;                  \
  }
KERNEL(xor1, __shfl_xor(v, 1))
KERNEL(xor4, __shfl_xor(v, 4))
KERNEL(xor5, __shfl_xor(v, 5))
KERNEL(xor16, __shfl_xor(v, 16))
KERNEL(xor32, __shfl_xor(v, 32))
KERNEL(xor4of8, __shfl_xor(v, 4, 8))
KERNEL(down1, __shfl_down(v, 1))
KERNEL(down32, __shfl_down(v, 32))
KERNEL(down1of32, __shfl_down(v, 1, 32))
KERNEL(up1, __shfl_up(v, 1))
KERNEL(first, __shfl(v, 0))
KERNEL(thirdOf4, __shfl(v, 2, 4))
KERNEL(thirdOf16, __shfl(v, 2, 16))
KERNEL(thirdOf32, __shfl(v, 2, 32))
