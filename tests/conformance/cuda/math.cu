// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematics: the C library's, what CUDA adds, and the approximate functions, each into its own column.
#include <cmath>

__global__ void mathFunctions(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float* row = out + i * 24;
  sincosf(x, &row[0], &row[1]);
  sincospif(x, &row[2], &row[3]);
  row[4] = rsqrtf(x * x + 1);
  row[5] = sqrt(x * x);
  row[6] = exp10f(x * 0.25f);
  row[7] = norm3df(x, 1, 2);
  row[8] = rnorm4df(x, 1, 2, 3);
  row[9] = normcdff(x);
  row[10] = fminf(x, 0.5f) + fmaxf(x, 0.5f);
  row[11] = std::pow(fabsf(x), 1.5f);
  row[12] = fmaf(x, x, -x);
  row[13] = __fadd_rn(__fmul_rn(x, x), -x);
  row[14] = __frcp_rn(x + 3);
  row[15] = __fsqrt_rn(x * x + 2);
  row[16] = __saturatef(x);
  row[17] = __expf(x);
  row[18] = __logf(x * x + 1);
  row[19] = __sinf(x) + __cosf(x);
  row[20] = __powf(x * x + 1, 0.3f);
  row[21] = __fdividef(x, x * x + 1);
  row[22] = modff(x, &row[23]);
}

__global__ void mixedArguments(const int* k, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i * 4] = pow(2, k[i]);
  out[i * 4 + 1] = sqrt(k[i] * k[i]);
  out[i * 4 + 2] = max(k[i], 3u) + min(1.5f, 2.5) + rsqrt(4.0);
  out[i * 4 + 3] = sinpi(k[i] / 6.0) + cospi(k[i] / 6.0);
}
