// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where neighbours may be fused and where they may not, and conversions of the language.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define FUSED(title, type, add, multiply)                                                                       \
  extern "C" __global__ void never_fused_##title(type* out, type a, type b, type c) { *out = add(multiply(a, b), c); }
FUSED(float, float, __fadd_rn, __fmul_rn)
FUSED(double, double, __dadd_rn, __dmul_rn)
FUSED(half, __half, __hadd_rn, __hmul_rn)
FUSED(half2, __half2, __hadd2_rn, __hmul2_rn)
FUSED(float_minus, float, __fsub_rn, __fmul_rn)
FUSED(double_minus, double, __dsub_rn, __dmul_rn)
FUSED(half_minus, __half, __hsub_rn, __hmul_rn)
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
FUSED(bfloat, __nv_bfloat16, __hadd_rn, __hmul_rn)
FUSED(bfloat2, __nv_bfloat162, __hadd2_rn, __hmul2_rn)
#endif
extern "C" __global__ void half_fused(float* out, float a, float b, float c) { *out = __fadd_rn(a * b, c); }
extern "C" __global__ void fused(float* out, float a, float b, float c) { *out = a * b + c; }
extern "C" __global__ void divided(float* out, float a, float b) { *out = a / b; }
extern "C" __global__ void divided_double(double* out, double a, double b) { *out = a / b; }
extern "C" __global__ void reciprocal(float* out, float a) { *out = 1 / a; }
extern "C" __global__ void rooted(float* out, float a) { *out = sqrtf(a); }
extern "C" __global__ void inverse_root(float* out, float a) { *out = 1 / sqrtf(a); }
extern "C" __global__ void extremes(float* out, float a, float b) { *out = fminf(fmaxf(a, 0), b); }

#define CONVERTED(from, a, to, b) \
  extern "C" __global__ void from##_to_##to(b* out, a in) { *out = static_cast<b>(in); }
#define TO_REALS(from, a) CONVERTED(from, a, float, float) CONVERTED(from, a, double, double)
#define FROM_REAL(from, a)                                                                                  \
  CONVERTED(from, a, schar, signed char) CONVERTED(from, a, uchar, unsigned char) CONVERTED(from, a, short, short)  \
  CONVERTED(from, a, ushort, unsigned short) CONVERTED(from, a, int, int) CONVERTED(from, a, unsigned, unsigned)    \
  CONVERTED(from, a, long, long long) CONVERTED(from, a, ulong, unsigned long long) CONVERTED(from, a, bool, bool)
TO_REALS(schar, signed char)
TO_REALS(uchar, unsigned char)
TO_REALS(short, short)
TO_REALS(ushort, unsigned short)
TO_REALS(int, int)
TO_REALS(unsigned, unsigned)
TO_REALS(long, long long)
TO_REALS(ulong, unsigned long long)
TO_REALS(bool, bool)
FROM_REAL(float, float)
FROM_REAL(double, double)
CONVERTED(float, float, double, double)
CONVERTED(double, double, float, float)
