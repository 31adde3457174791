// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// half and bfloat16 from reals and integers, and back, in every rounding mode; one output a function. What is not a
// number is written as 0x7fff.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define MODES(to, from, value)                                      \
  put(__##from##2##to##_rn(value)), put(__##from##2##to##_rz(value)); \
  put(__##from##2##to##_ru(value)), put(__##from##2##to##_rd(value));

#define KERNELS(type, pair, infinity)                                                                  \
  __device__ unsigned bitsOf(__##type##_number x) {                                                    \
    const unsigned bits = __##type##_as_ushort(x);                                                     \
    return (bits & 0x7fff) > infinity ? 0x7fff : bits;                                                 \
  }                                                                                                    \
  __global__ void type##FromReals(const double* in, unsigned* out, int n) {                            \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                               \
    if (i >= n) return;                                                                                \
    unsigned* o = out + i;                                                                             \
    auto store = [&](__##type##_number x) {                                                            \
      *o = bitsOf(x);                                                                                  \
      o += n;                                                                                          \
    };                                                                                                 \
    const double wide = in[i];                                                                         \
    const float x = static_cast<float>(wide);                                                          \
    store(__double2##type(wide));                                                                      \
    store(__float2##type(x));                                                                          \
    store(__float2##type##_rn(x)), store(__float2##type##_rz(x));                                      \
    store(__float2##type##_ru(x)), store(__float2##type##_rd(x));                                      \
    store(__float2##pair##_rn(x).y);                                                                   \
    store(__floats2##pair##_rn(1, x).y);                                                               \
    store(__float22##pair##_rn(make_float2(x, 1)).x);                                                  \
    store(__##type##_number(x));                                                                       \
    store(__##type##_number(wide));                                                                    \
  }                                                                                                    \
  __global__ void type##FromIntegers(const long long* in, unsigned* out, int n) {                      \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                               \
    if (i >= n) return;                                                                                \
    unsigned* o = out + i;                                                                             \
    auto put = [&](__##type##_number x) {                                                              \
      *o = bitsOf(x);                                                                                  \
      o += n;                                                                                          \
    };                                                                                                 \
    const long long x = in[i];                                                                         \
    MODES(type, short, static_cast<short>(x))                                                          \
    MODES(type, ushort, static_cast<unsigned short>(x))                                                \
    MODES(type, int, static_cast<int>(x))                                                              \
    MODES(type, uint, static_cast<unsigned>(x))                                                        \
    MODES(type, ll, x)                                                                                 \
    MODES(type, ull, static_cast<unsigned long long>(x))                                               \
  }                                                                                                    \
  __global__ void type##ToOthers(const unsigned* in, long long* out, int n) {                          \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                               \
    if (i >= n) return;                                                                                \
    long long* o = out + i;                                                                            \
    auto put = [&](long long x) {                                                                      \
      *o = x;                                                                                          \
      o += n;                                                                                          \
    };                                                                                                 \
    const auto x = __ushort_as_##type(static_cast<unsigned short>(in[i]));                             \
    MODES(short, type, x)                                                                              \
    MODES(ushort, type, x)                                                                             \
    MODES(int, type, x)                                                                                \
    MODES(uint, type, x)                                                                               \
    MODES(ll, type, x)                                                                                 \
    MODES(ull, type, x)                                                                                \
    put(__##type##2char_rz(x)), put(__##type##2uchar_rz(x));                                           \
    put(static_cast<signed char>(x)), put(static_cast<unsigned char>(x));                              \
    put(static_cast<short>(x)), put(static_cast<unsigned short>(x));                                   \
    put(static_cast<int>(x)), put(static_cast<unsigned>(x));                                           \
    const long long signedCast = x;                                                                    \
    const unsigned long long unsignedCast = x;                                                         \
    put(signedCast), put(unsignedCast);                                                                \
    const auto both = make_##pair(__ushort_as_##type(0x4000), x);                                      \
    const float2 wide = __##pair##2float2(both);                                                       \
    const float reals[] = {__##type##2float(x), __high2float(both), wide.y, static_cast<float>(x),     \
                           wide.x + __low2float(both)};                                                \
    for (float real : reals) put(real == real ? __float_as_int(real) : 0x7fc00000);                    \
  }

typedef __half __half_number;
typedef __nv_bfloat16 __bfloat16_number;
KERNELS(half, half2, 0x7c00)
KERNELS(bfloat16, bfloat162, 0x7f80)
