// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's mathematics beyond the C library's and <lathe/device/special_functions.h>: min and max of every pair of types,
// arithmetic with a rounding of its own (__fmul_rz), and the approximate functions (__expf), written as the CUDA C++
// Programming Guide defines them, out of the few operations that hardware has instructions for.
#ifndef LATHE_CUDA_MATH_FUNCTIONS_H
#define LATHE_CUDA_MATH_FUNCTIONS_H

#include <lathe/cuda/qualifiers.h>

// CUDA's mathematics may be called from host functions too; besides, Clang makes intrinsics only of those that may.
#pragma push_macro("LATHE_DEVICE")
#undef LATHE_DEVICE
#define LATHE_DEVICE __host__ __device__
#include <lathe/device/special_functions.h>
#pragma pop_macro("LATHE_DEVICE")
#include <lathe/cuda/rounded.h>

// Integers of one width: signed where both are, else unsigned.
#define LATHE_CUDA_MIN_MAX(type)             \
  LATHE_CUDA_BOTH type min(type x, type y) { \
    return x < y ? x : y;                    \
  }                                          \
  LATHE_CUDA_BOTH type max(type x, type y) { \
    return x > y ? x : y;                    \
  }
#define LATHE_CUDA_MIN_MAX_MIXED(type, a, b)                \
  LATHE_CUDA_BOTH type min(a x, b y) {                      \
    return min(static_cast<type>(x), static_cast<type>(y)); \
  }                                                         \
  LATHE_CUDA_BOTH type max(a x, b y) {                      \
    return max(static_cast<type>(x), static_cast<type>(y)); \
  }
#define LATHE_CUDA_MIN_MAX_WIDTH(type)                         \
  LATHE_CUDA_MIN_MAX(type)                                     \
  LATHE_CUDA_MIN_MAX(unsigned type)                            \
  LATHE_CUDA_MIN_MAX_MIXED(unsigned type, unsigned type, type) \
  LATHE_CUDA_MIN_MAX_MIXED(unsigned type, type, unsigned type)
LATHE_CUDA_MIN_MAX_WIDTH(int)
LATHE_CUDA_MIN_MAX_WIDTH(long)
LATHE_CUDA_MIN_MAX_WIDTH(long long)
#undef LATHE_CUDA_MIN_MAX_WIDTH
#undef LATHE_CUDA_MIN_MAX

// Reals: the other operand where one is not a number.
LATHE_CUDA_BOTH float min(float x, float y) {
  return fminf(x, y);
}
LATHE_CUDA_BOTH float max(float x, float y) {
  return fmaxf(x, y);
}
LATHE_CUDA_BOTH double min(double x, double y) {
  return fmin(x, y);
}
LATHE_CUDA_BOTH double max(double x, double y) {
  return fmax(x, y);
}
LATHE_CUDA_MIN_MAX_MIXED(double, float, double)
LATHE_CUDA_MIN_MAX_MIXED(double, double, float)
#undef LATHE_CUDA_MIN_MAX_MIXED

// The names that CUDA gave them before there were overloads.
#define LATHE_CUDA_MIN_MAX(prefix, type)             \
  LATHE_CUDA_BOTH type prefix##min(type x, type y) { \
    return x < y ? x : y;                            \
  }                                                  \
  LATHE_CUDA_BOTH type prefix##max(type x, type y) { \
    return x > y ? x : y;                            \
  }
LATHE_CUDA_MIN_MAX(u, unsigned)
LATHE_CUDA_MIN_MAX(ll, long long)
LATHE_CUDA_MIN_MAX(ull, unsigned long long)
#undef LATHE_CUDA_MIN_MAX

// As <lathe/device/math.h> has it for C's functions, integers count as double.
#define LATHE_CUDA_PROMOTE(name)         \
  template <class T>                     \
    requires(__is_integral(T))           \
  LATHE_CUDA_BOTH double name(T x) {     \
    return name(static_cast<double>(x)); \
  }
LATHE_SPECIAL_UNARY(LATHE_CUDA_PROMOTE)
LATHE_CUDA_PROMOTE(j0)
LATHE_CUDA_PROMOTE(j1)
LATHE_CUDA_PROMOTE(y0)
LATHE_CUDA_PROMOTE(y1)
LATHE_CUDA_PROMOTE(rsqrt)
#undef LATHE_CUDA_PROMOTE

LATHE_CUDA_APPROXIMATE float rsqrtf(float x) {
  return 1 / sqrtf(x);
}
LATHE_CUDA_BOTH float rsqrt(float x) {
  return rsqrtf(x);
}

/// +0 of zeros, negative numbers and NaN.
LATHE_INLINE float __saturatef(float x) {
  if (__lathe_target_is("cuda")) return __nvvm_saturate_f(x);
  return x > 0 ? fminf(x, 1) : 0;
}
LATHE_CUDA_APPROXIMATE float __fdividef(float x, float y) {
  return x / y;
}
LATHE_CUDA_BOTH float fdividef(float x, float y) {
  return x / y;
}
LATHE_CUDA_APPROXIMATE float __expf(float x) {
  return exp2f(x * 1.44269504f);
}
LATHE_CUDA_APPROXIMATE float __exp10f(float x) {
  return exp2f(x * 3.32192809f);
}
LATHE_CUDA_APPROXIMATE float __log2f(float x) {
  return log2f(x);
}
LATHE_CUDA_APPROXIMATE float __logf(float x) {
  return log2f(x) * 0.693147181f;
}
LATHE_CUDA_APPROXIMATE float __log10f(float x) {
  return log2f(x) * 0.301029996f;
}
LATHE_CUDA_APPROXIMATE float __powf(float x, float y) {
  return exp2f(y * log2f(x));
}
LATHE_CUDA_APPROXIMATE float __sinf(float x) {
  return sinf(x);
}
LATHE_CUDA_APPROXIMATE float __cosf(float x) {
  return cosf(x);
}
LATHE_CUDA_APPROXIMATE float __tanf(float x) {
  return sinf(x) / cosf(x);
}
LATHE_CUDA_APPROXIMATE float __tanhf(float x) {
  if (__lathe_target_is("cuda") && __lathe_arch_at_least(75)) {
    float out;
    asm("tanh.approx.f32 %0, %1;" : "=f"(out) : "f"(x));
    return out;
  }
  return tanhf(x);
}
LATHE_CUDA_APPROXIMATE void __sincosf(float x, float* sine, float* cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}

#endif
