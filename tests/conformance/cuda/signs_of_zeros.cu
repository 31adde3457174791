// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sinpi, cospi and sincospi of integers and halves, whose zeros have signs, and normcdf where it becomes 0,
// saturation, and conversions of NaN.
#include <cuda_runtime.h>

__device__ int classOf(double x) {
  return x != x ? 9 : (signbit(x) ? -1 : 1) * (x == 0 ? 1 : 2);
}

/// For each number the classes of sine and cosine, of both at once, and of all as floats.
__global__ void ofPi(const double* in, int* out) {
  const double x = in[threadIdx.x];
  const float f = static_cast<float>(x);
  int* const row = out + 8 * threadIdx.x;
  double sine, cosine;
  float sinef, cosinef;
  sincospi(x, &sine, &cosine);
  sincospif(f, &sinef, &cosinef);
  row[0] = classOf(sinpi(x)), row[1] = classOf(cospi(x)), row[2] = classOf(sine), row[3] = classOf(cosine);
  row[4] = classOf(sinpif(f)), row[5] = classOf(cospif(f)), row[6] = classOf(sinef), row[7] = classOf(cosinef);
}

__global__ void normal(const double* in, int* out) {
  const double x = in[threadIdx.x];
  out[2 * threadIdx.x] = classOf(normcdf(x));
  out[2 * threadIdx.x + 1] = classOf(normcdff(static_cast<float>(x)));
}

__global__ void saturated(const float* in, float* out) {
  out[threadIdx.x] = __saturatef(in[threadIdx.x]);
  out[blockDim.x + threadIdx.x] = 1 / __saturatef(-in[threadIdx.x]);
}

__global__ void notNumbers(const float* in, int* out) {
  const float x = in[threadIdx.x];
  unsigned towardsZero;
  int nearest;
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(towardsZero) : "f"(x));
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(nearest) : "f"(x));
  int* const row = out + 4 * threadIdx.x;
  row[0] = static_cast<int>(towardsZero), row[1] = nearest;
  row[2] = static_cast<unsigned char>(x), row[3] = static_cast<short>(x);
}
