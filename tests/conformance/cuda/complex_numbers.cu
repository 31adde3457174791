// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex numbers as functions, of floats and of doubles: two outputs a function.
#include <cuComplex.h>

#define KERNEL(kernel, type, number, f, make)                                                             \
  __global__ void kernel(const number* in, number* out, int n) {                                          \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                  \
    if (i >= n) return;                                                                                   \
    const type a = make(in[6 * i], in[6 * i + 1]), b = make(in[6 * i + 2], in[6 * i + 3]);                \
    const type c = make(in[6 * i + 4], in[6 * i + 5]);                                                    \
    number* o = out + 2 * i;                                                                              \
    const auto put = [&](type z) {                                                                        \
      o[0] = cuCreal##f(z);                                                                               \
      o[1] = cuCimag##f(z);                                                                               \
      o += 2 * n;                                                                                         \
    };                                                                                                    \
    put(cuCadd##f(a, b));                                                                                 \
    put(cuCsub##f(a, b));                                                                                 \
    put(cuConj##f(a));                                                                                    \
    put(cuCmul##f(a, b));                                                                                 \
    put(cuCfma##f(a, b, c));                                                                              \
    put(cuCdiv##f(a, b));                                                                                 \
    put(make(cuCabs##f(a), cuCabs##f(b)));                                                                \
  }
KERNEL(floats, cuFloatComplex, float, f, make_cuFloatComplex)
KERNEL(doubles, cuDoubleComplex, double, , make_cuDoubleComplex)

__global__ void converted(const double* in, double* out) {
  const int i = threadIdx.x;
  const cuComplex narrow = cuComplexDoubleToFloat(make_cuDoubleComplex(in[2 * i], in[2 * i + 1]));
  const cuDoubleComplex wide = cuComplexFloatToDouble(make_cuComplex(narrow.x, -narrow.y));
  out[2 * i] = wide.x;
  out[2 * i + 1] = wide.y;
}
