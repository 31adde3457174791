// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of <cmath> by its C++ overload, and what CUDA adds by its C name, each in a kernel of its own, for float
// and double. The kernels of the C library's functions are those of kernels/math.cpp.
#include <cmath>

#define ITEM const unsigned i = blockIdx.x * blockDim.x + threadIdx.x

#define UNARY(name)                                \
  template <class T>                               \
  __global__ void name##_of(const T* in, T* out) { \
    ITEM;                                          \
    out[i] = name(in[i]);                          \
  }
LATHE_MATH_UNARY(UNARY)

#define BINARY(name)                                           \
  template <class T>                                           \
  __global__ void name##_of(const T* x, const T* y, T* out) {  \
    ITEM;                                                      \
    out[i] = name(x[i], y[i]);                                 \
  }
LATHE_MATH_BINARY(BINARY)

template <class T>
__global__ void fma_of(const T* x, const T* y, const T* z, T* out) {
  ITEM;
  out[i] = fma(x[i], y[i], z[i]);
}

template <class T>
__global__ void ldexp_of(const T* x, const int* e, T* out) {
  ITEM;
  out[i] = ldexp(x[i], e[i]);
}

template <class T>
__global__ void kinds(const T* x, const T* y, int* kinds, T* out) {
  ITEM;
  kinds[i] = isnan(x[i]) | isinf(x[i]) << 1 | isfinite(x[i]) << 2 | signbit(x[i]) << 3 | (x[i] < y[i]) << 4 |
             (x[i] == y[i]) << 5 | (x[i] >= y[i]) << 6 | (x[i] != y[i]) << 7;
  out[4 * i] = x[i] + y[i];
  out[4 * i + 1] = x[i] - y[i];
  out[4 * i + 2] = x[i] * y[i];
  out[4 * i + 3] = x[i] / y[i];
}

/// `sinpif` or `sinpi`, by T.
#define EXTRA(name)                                \
  template <class T>                               \
  __global__ void name##_of(const T* in, T* out) { \
    ITEM;                                          \
    if constexpr (sizeof(T) == 4)                  \
      out[i] = name##f(in[i]);                     \
    else                                           \
      out[i] = name(in[i]);                        \
  }
EXTRA(sinpi)
EXTRA(cospi)
EXTRA(rsqrt)
EXTRA(rcbrt)
EXTRA(exp10)
EXTRA(normcdf)
