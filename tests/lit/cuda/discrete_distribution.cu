// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's distributions that the host made, the names of its steps, and the profiler's counters.
// RUN: %lathe run %s -t cpu --grid 1 --group 1 -k steps --arg zeros:u32[5] --print 0:5 | FileCheck %s
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// Philox's published numbers for zeros, and the first as a float in (0, 1].
// CHECK: 1713891541 3781805453 3159862348 2600524760 1053577170
// PTX: pmevent
#include <curand_kernel.h>

static_assert(sizeof(curandDiscreteDistribution_st) == 48);

__global__ void steps(unsigned* out) {
  __prof_trigger(3);
  const uint4 v = curand_Philox4x32_10(make_uint4(0, 0, 0, 0), make_uint2(0, 0));
  out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
  out[4] = __float_as_uint(_curand_uniform(v.x));
}

__global__ void poisson(unsigned* out, curandDiscreteDistribution_t distribution) {
  curandStatePhilox4_32_10_t state;
  curand_init(1, threadIdx.x, 0, &state);
  out[threadIdx.x] = curand_discrete(&state, distribution) + curand_discrete4(&state, distribution).z;
}

__global__ void sobol(unsigned* out, curandStateSobol64_t* states, curandDiscreteDistribution_t distribution) {
  out[threadIdx.x] = curand_discrete(&states[threadIdx.x], distribution);
}
