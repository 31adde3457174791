// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's distributions that the host made, the names of its steps, and the profiler's counters.
// RUN: %lathe run %s -t cpu --grid 1 --group 1 -k steps --arg zeros:u32[5] --print 0:5 | FileCheck %s
// RUN: %lathe run %s -t cpu --grid 1 --group 1 -k ranges --arg zeros:u32[2] --print 0:2 | FileCheck %s --check-prefix=RANGES
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// Philox's published numbers for zeros, and the first as a float in (0, 1].
// CHECK: 1713891541 3781805453 3159862348 2600524760 1053577170
// The upper half of the histogram is 10 + 1, the lower goes by its other column to 10 + 5. All numbers are in range.
// RANGES: 12 1
// PTX: pmevent
#include <curand_kernel.h>

static_assert(offsetof(curandHistogramM2_st, K) == 16 && sizeof(curandHistogramM2_st) == 40);
static_assert(offsetof(curandDistributionM2Shift_st, shift) == 16 && offsetof(curandDistributionM2Shift_st, length) == 20);
static_assert(offsetof(curandDiscreteDistribution_st, M2) == 8 && offsetof(curandDiscreteDistribution_st, stddev) == 24);
static_assert(offsetof(curandDiscreteDistribution_st, mean) == 32 && offsetof(curandDiscreteDistribution_st, method) == 40);
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

__global__ void ranges(unsigned* out) {
  double below[2] = {0.0, 1.5};
  unsigned others[2] = {5, 7};
  curandHistogramM2_st histogram{};
  histogram.V = below, histogram.K = others;
  curandDistributionM2Shift_st squares{};
  squares.histogram = &histogram, squares.shift = 10, squares.length = 2;
  curandDiscreteDistribution_st distribution{};
  distribution.M2 = &squares;
  distribution.method = static_cast<decltype(distribution.method)>(5);
  curandStatePhilox4_32_10_t state;
  curand_init(1, 0, 0, &state);
  for (int i = 0; i < 3; ++i) {
    const uint4 v = curand_discrete4(&state, &distribution);
    const unsigned one = curand_discrete(&state, &distribution), ofWord = _curand_discrete(curand(&state), &distribution);
    for (unsigned x : {v.x, v.y, v.z, v.w, one, ofWord}) out[0] += x == 11 || x == 15 ? 1 : 100;
  }
  out[0] -= 6;
  const uint4 v = curand4(&state);
  const float4 u = _curand_uniform4(v);
  const float2 normal = _curand_box_muller(v.x, v.y);
  const double wide = _curand_uniform_double(v.x), wider = _curand_uniform_double_hq(v.x, v.y);
  out[1] = u.x > 0 && u.w <= 1 && fabsf(normal.x) < 7 && wide > 0 && wide <= 1 && wider > 0 && wider <= 1;
}
