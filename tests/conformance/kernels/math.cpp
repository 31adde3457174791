// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of <cmath>, each in a kernel of its own, for float and double.
#include <lathe/device.h>
#include <cmath>

#define UNARY(name)                                  \
  template <class T>                                 \
  LATHE_KERNEL void name##_of(const T* in, T* out) { \
    const unsigned i = lathe::global_id().x;         \
    out[i] = std::name(in[i]);                       \
  }
LATHE_MATH_UNARY(UNARY)

#define BINARY(name)                                            \
  template <class T>                                            \
  LATHE_KERNEL void name##_of(const T* x, const T* y, T* out) { \
    const unsigned i = lathe::global_id().x;                    \
    out[i] = std::name(x[i], y[i]);                             \
  }
LATHE_MATH_BINARY(BINARY)

template <class T>
LATHE_KERNEL void fma_of(const T* x, const T* y, const T* z, T* out) {
  const unsigned i = lathe::global_id().x;
  out[i] = std::fma(x[i], y[i], z[i]);
}

template <class T>
LATHE_KERNEL void ldexp_of(const T* x, const int* e, T* out) {
  const unsigned i = lathe::global_id().x;
  out[i] = std::ldexp(x[i], e[i]);
}

/// What numbers are, and the operators.
template <class T>
LATHE_KERNEL void kinds(const T* x, const T* y, int* kinds, T* out) {
  const unsigned i = lathe::global_id().x;
  kinds[i] = std::isnan(x[i]) | std::isinf(x[i]) << 1 | std::isfinite(x[i]) << 2 | std::signbit(x[i]) << 3 |
             (x[i] < y[i]) << 4 | (x[i] == y[i]) << 5 | (x[i] >= y[i]) << 6 | (x[i] != y[i]) << 7;
  out[4 * i] = x[i] + y[i];
  out[4 * i + 1] = x[i] - y[i];
  out[4 * i + 2] = x[i] * y[i];
  out[4 * i + 3] = x[i] / y[i];
}
