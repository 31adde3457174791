// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros that CUDA's runtime header brings along with the C library: the order of bytes, which compares equal to any other
// where neither is defined, numbers as float and long double, limits of POSIX, and bits of the exit status.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - 2>&1 | FileCheck %s --implicit-check-not=remark: --implicit-check-not=warning:
// RUN: %compile %s -t cpu -o %t.limg
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_80 %s -o - | FileCheck %s %}
// CHECK: .entry _Z7numbersPfPi
// CHECK-DAG: {{1078530011|0f40490FDB}}
// CHECK-DAG: {{2139095039|0f7F7FFFFF}}
// CHECK-DAG: {{[ ,{]}}4096
// CHECK-DAG: {{[ ,{]}}64
// CHECK-DAG: {{[ ,{]}}73
#if __BYTE_ORDER == __BIG_ENDIAN || BYTE_ORDER != LITTLE_ENDIAN
constexpr bool isOther = true;
#else
constexpr bool isOther = false;
#endif

static_assert(LONG_LONG_MAX == LLONG_MAX && ULONG_LONG_MAX == ULLONG_MAX && SSIZE_MAX == LONG_MAX && NAME_MAX == 255);
static_assert(!isOther);
static_assert(math_errhandling & MATH_ERREXCEPT);

struct Source {
  char path[PATH_MAX];
  char handle[CUDA_IPC_HANDLE_SIZE];
};

inline __host__ bool failed(int status) {
  return WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) != 0 && M_PIl > 3);
}

// glibc's fields of numbers, whose header nothing includes by itself.
#include <ieee754.h>
static_assert(sizeof(ieee754_float) == 4 && sizeof(ieee754_double) == 8);
inline __host__ __device__ int exponentOf(double x) {
  ieee754_double fields;
  fields.d = x;
  return static_cast<int>(fields.ieee.exponent) - IEEE754_DOUBLE_BIAS;
}
inline __host__ __device__ int exponentOf(float x) {
  ieee754_float fields;
  fields.f = x;
  return static_cast<int>(fields.ieee.exponent) - IEEE754_FLOAT_BIAS;
}

__global__ void numbers(float* to, int* widths) {
  to[0] = M_PIf;
  to[1] = MAXFLOAT;
  widths[0] = sizeof(Source::path);
  widths[1] = ULLONG_WIDTH;
  widths[2] = exponentOf(0x1.8p67) + exponentOf(-0x1p6f);
}
