// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMD's libraries by the names of their bitcode, with declarations as programs and Clang's headers have them, or
// without; one that nothing has is an error with its name.
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg 2>&1 | FileCheck %s --check-prefix=QUIET --implicit-check-not=warning: --allow-empty
// RUN: %compile %s -t cuda:sm_90 -o %t.limg && %compile %s -t spirv -o %t.limg && %compile %s -t opencl-c -o %t.limg
// RUN: %lathe run %s -t cpu -k calls --grid 2 --group 2 --arg 'json:[0,1,4,9]' --arg zeros:f32[4] --print 1 | FileCheck %s
// CHECK: out f32[4]: 0 0.5 5 1.5
// QUIET-NOT: error:
// RUN: not %compile %s -t amdgpu:gfx942 -DUNHEARD -o %t.limg 2>&1 | FileCheck %s --check-prefix=UNHEARD
// UNHEARD: device_libraries.hip:[[#@LINE+14]]:{{.*}} error: '__ocml_unheard_f32' is called but nothing defines it
// RUN: %compile %s -t amdgpu:gfx942 --emit asm -o - -DNATIVE | FileCheck %s --check-prefix=NATIVE
// NATIVE: v_rcp_f32
#include <hip/hip_runtime.h>
extern "C" __device__ float __ocml_sqrt_f32(float);
extern "C" __device__ __attribute__((const)) float __ocml_fmax_f32(float, float);
extern "C" __device__ __attribute__((pure)) double __ocml_cosh_f64(double);
extern "C" __device__ size_t __ockl_get_local_id(unsigned);
#ifdef UNHEARD
extern "C" __device__ float __ocml_unheard_f32(float);
#endif
__global__ void calls(const float* in, float* out) {
  const size_t i = __ockl_get_global_id(0);
#if defined(UNHEARD)
  out[i] = __ocml_unheard_f32(in[i]);
#elif defined(NATIVE)
  out[i] = __ocml_native_recip_f32(in[i]);
#else
  const float root = __ocml_fmax_f32(__ocml_sqrt_f32(in[i]), 0);
  out[i] = root * 2 + (__ockl_get_local_id(0) ? -__ocml_rsqrt_f32(in[i]) * 1.5f * in[i] : root * 0.5f);
#endif
}
