// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tells a source compiler, platform and architecture.
// RUN: %compile %s -t amdgpu:gfx90a -DAMD=1 -DWAVE=64 -DNAME='__gfx90a__ && __GFX9__' -o %t.limg
// RUN: %compile %s -t amdgpu:gfx1100 -DAMD=1 -DWAVE=32 -DNAME='__gfx1100__ && __GFX11__' -o %t.limg
// RUN: %compile %s -t amdgpu:gfx9-generic -DAMD=1 -DWAVE=64 -DNAME='__gfx9_generic__' -o %t.limg
// RUN: %compile %s -t cuda:sm_90 -DNVIDIA=1 -DNAME='__CUDA_ARCH__ == 900' -o %t.limg
// RUN: %compile %s -t cpu -DNAME='__HIP_PLATFORM_AMD__' -o %t.limg
// RUN: %compile %s -t spirv -DNAME='__HIP_PLATFORM_AMD__' -o %t.limg
#include <hip/hip_runtime.h>

#if !__HIP__ || !__HIPCC__ || !__HIP_DEVICE_COMPILE__ || !(NAME)
#error "a macro is missing"
#endif
#if AMD && (!defined(__AMDGCN__) || __AMDGCN_WAVEFRONT_SIZE != WAVE)
#error "AMD's macros are missing"
#elif !AMD && (defined(__AMDGCN__) || defined(__gfx90a__))
#error "AMD's macros are there"
#endif
#if NVIDIA && !(defined(__HIP_PLATFORM_NVIDIA__) && defined(__CUDACC__) && !defined(__HIP_PLATFORM_AMD__))
#error "NVIDIA's macros are missing"
#elif !NVIDIA && (defined(__HIP_PLATFORM_NVIDIA__) || defined(__CUDACC__) || defined(__CUDA_ARCH__))
#error "NVIDIA's macros are there"
#endif

__global__ void k(int* p) {
  p[threadIdx.x] = 0;
}
