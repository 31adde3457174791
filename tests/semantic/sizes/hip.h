// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels.cu needs of HIP's headers: indices and barriers by clang's builtins for AMD GPUs, as those headers have
// them; mathematics by the instructions that LLVM makes of builtins, or else by libclc, as Lathe takes it too.
#pragma once

#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define GLOBAL
#define TABLE __attribute__((device)) static const
#define DEVICE __attribute__((device)) static

struct Index {
  unsigned x, y, z;
};
#define HIDDEN ((__attribute__((address_space(4))) const char*)__builtin_amdgcn_implicitarg_ptr())
#define threadIdx (Index{__builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(), __builtin_amdgcn_workitem_id_z()})
#define blockIdx (Index{__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workgroup_id_z()})
#define blockDim (Index{__builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(), __builtin_amdgcn_workgroup_size_z()})
#define gridDim                                                                    \
  (Index{*(__attribute__((address_space(4))) const unsigned*)(HIDDEN),             \
         *(__attribute__((address_space(4))) const unsigned*)(HIDDEN + 4),         \
         *(__attribute__((address_space(4))) const unsigned*)(HIDDEN + 8)})
#define LIBRARY extern "C++" __attribute__((device, const))

__attribute__((device)) static inline void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#define atomicAdd(place, value) __hip_atomic_fetch_add(place, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)

#define VECTOR2(type, name) struct __attribute__((aligned(2 * sizeof(type)))) name { type x, y; }
#define VECTOR4(type, name) struct __attribute__((aligned(4 * sizeof(type)))) name { type x, y, z, w; }
VECTOR2(float, float2);
VECTOR4(float, float4);
VECTOR4(int, int4);

LIBRARY float sin(float);
LIBRARY float cos(float);
LIBRARY float tanh(float);
LIBRARY float pow(float, float);
#define sinf sin
#define cosf cos
#define tanhf tanh
#define powf pow
#define rsqrtf __builtin_amdgcn_rsqf
#define sqrtf __builtin_sqrtf
#define sqrt __builtin_sqrt
#define expf __builtin_expf
#define logf __builtin_logf
#define fabsf __builtin_fabsf
#define fminf __builtin_fminf
#define fmaxf __builtin_fmaxf
#define rintf __builtin_rintf
