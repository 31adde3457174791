// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of sine and cosine, lengths of vectors in memory, and the functions that CUDA defines as approximate: one row an
// item.
__global__ void floats(const float* in, float* out) {
  const unsigned i = threadIdx.x;
  const float x = in[i], positive = fabsf(x) + 0.1f;
  const float vector[3] = {x, positive, 2};
  float* const row = out + 15 * i;
  sincosf(x, &row[0], &row[1]);
  sincospif(x, &row[2], &row[3]);
  __sincosf(x, &row[4], &row[5]);
  row[6] = __tanf(x / 4);
  row[7] = __exp10f(x);
  row[8] = __log2f(positive);
  row[9] = __log10f(positive);
  row[10] = fdividef(x, positive);
  row[11] = __tanhf(x);
  row[12] = normf(3, vector);
  row[13] = rnormf(3, vector);
  row[14] = exp10f(x);
}

__global__ void doubles(const double* in, double* out) {
  const unsigned i = threadIdx.x;
  const double x = in[i], positive = fabs(x) + 0.1;
  const double vector[3] = {x, positive, 2};
  double* const row = out + 7 * i;
  sincos(x, &row[0], &row[1]);
  sincospi(x, &row[2], &row[3]);
  row[4] = fdivide(x, positive);
  row[5] = norm(3, vector);
  row[6] = rnorm(3, vector);
}
