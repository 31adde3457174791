// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of the CUDA headers in one kernel each family, for every type it takes: a name that is missing,
// ambiguous or ends in a function nobody provides fails to compile here. check_vocabulary.py reads the resulting IR.
#include <cuda_runtime.h>

#define VECTORS(name, element)                                                                                    \
  __global__ void make_vectors_##name(element a, name##1 * one, name##2 * two, name##3 * three, name##4 * four) { \
    *one = make_##name##1(a);                                                                                     \
    *two = make_##name##2(a, a);                                                                                  \
    *three = make_##name##3(a, a, a);                                                                             \
    *four = make_##name##4(a, a, a, a);                                                                           \
  }
VECTORS(char, signed char)
VECTORS(uchar, unsigned char)
VECTORS(short, short)
VECTORS(ushort, unsigned short)
VECTORS(int, int)
VECTORS(uint, unsigned)
VECTORS(long, long)
VECTORS(ulong, unsigned long)
VECTORS(longlong, long long)
VECTORS(ulonglong, unsigned long long)
VECTORS(float, float)
VECTORS(double, double)

#define COMMON_ATOMICS(suffix, type)                                                 \
  out[i++] = static_cast<double>(atomicAdd##suffix(reinterpret_cast<type*>(p), 1)) + \
             static_cast<double>(atomicExch##suffix(reinterpret_cast<type*>(p), 2));
#define INTEGER_ATOMICS(suffix, type)                                               \
  COMMON_ATOMICS(suffix, type)                                                      \
  out[i++] = static_cast<double>(atomicAnd##suffix(reinterpret_cast<type*>(p), 3)); \
  out[i++] = static_cast<double>(atomicOr##suffix(reinterpret_cast<type*>(p), 4));  \
  out[i++] = static_cast<double>(atomicXor##suffix(reinterpret_cast<type*>(p), 5)); \
  out[i++] = static_cast<double>(atomicMin##suffix(reinterpret_cast<type*>(p), 6)); \
  out[i++] = static_cast<double>(atomicMax##suffix(reinterpret_cast<type*>(p), 7)); \
  out[i++] = static_cast<double>(atomicSub##suffix(reinterpret_cast<type*>(p), 8)); \
  out[i++] = static_cast<double>(atomicCAS##suffix(reinterpret_cast<type*>(p), 9, 10));
#define ATOMICS(suffix, title)                                  \
  __global__ void atomics_##title(void* p, double* out) {       \
    int i = 0;                                                  \
    INTEGER_ATOMICS(suffix, int)                                \
    INTEGER_ATOMICS(suffix, unsigned)                           \
    INTEGER_ATOMICS(suffix, long long)                          \
    INTEGER_ATOMICS(suffix, unsigned long long)                 \
    COMMON_ATOMICS(suffix, float)                               \
    out[i++] = atomicAdd##suffix(static_cast<double*>(p), 1);   \
    out[i++] = atomicInc##suffix(static_cast<unsigned*>(p), 1); \
    out[i++] = atomicDec##suffix(static_cast<unsigned*>(p), 1); \
  }
ATOMICS(, device)
ATOMICS(_block, block)
ATOMICS(_system, system)

template <class T>
__global__ void shuffles(T* p) {
  p[0] = __shfl_sync(0xffffffff, p[0], 1);
  p[1] = __shfl_up_sync(0xffffffff, p[1], 1, 16);
  p[2] = __shfl_down_sync(0xffffffff, p[2], 1);
  p[3] = __shfl_xor_sync(0xffffffff, p[3], 1, 8);
}
template __global__ void shuffles(int*);
template __global__ void shuffles(unsigned*);
template __global__ void shuffles(float*);
template __global__ void shuffles(long*);
template __global__ void shuffles(unsigned long*);
template __global__ void shuffles(long long*);
template __global__ void shuffles(unsigned long long*);
template __global__ void shuffles(double*);
template __global__ void shuffles(short*);

__device__ void same(int, int) {}
__device__ void same(unsigned, unsigned) {}
__device__ void same(long, long) {}
__device__ void same(unsigned long, unsigned long) {}
__device__ void same(long long, long long) {}
__device__ void same(unsigned long long, unsigned long long) {}
__device__ void same(float, float) {}
__device__ void same(double, double) {}

template <class A, class B>
__global__ void minMax(A a, B b) {
  same(min(a, b), max(a, b));
  static_assert(__is_same(decltype(min(a, b)), decltype(a + b)) && __is_same(decltype(max(a, b)), decltype(a + b)));
}
#define MIN_MAX(type)                                   \
  template __global__ void minMax(type, type);          \
  template __global__ void minMax(unsigned type, type); \
  template __global__ void minMax(type, unsigned type); \
  template __global__ void minMax(unsigned type, unsigned type);
MIN_MAX(int)
MIN_MAX(long)
MIN_MAX(long long)
template __global__ void minMax(float, float);
template __global__ void minMax(float, double);
template __global__ void minMax(double, float);
template __global__ void minMax(double, double);

#define ROUNDINGS(name) *out++ = static_cast<double>(name##_rn(x) + name##_rz(x) + name##_ru(x) + name##_rd(x));
__global__ void fromFloat(float x, double* out) {
  ROUNDINGS(__float2int)
  ROUNDINGS(__float2uint)
  ROUNDINGS(__float2ll)
  ROUNDINGS(__float2ull)
  *out++ = __float_as_int(x) + __float_as_uint(x);
}
__global__ void fromDouble(double x, double* out) {
  ROUNDINGS(__double2int)
  ROUNDINGS(__double2uint)
  ROUNDINGS(__double2ll)
  ROUNDINGS(__double2ull)
  *out++ = static_cast<double>(__double_as_longlong(x)) + __double2float_rn(x) + __double2hiint(x) + __double2loint(x);
}
__global__ void fromInteger(int x, long long y, double* out) {
  *out++ = __int2float_rn(x) + __uint2float_rn(x) + __ll2float_rn(y) + __ull2float_rn(y);
  *out++ = __int2double_rn(x) + __uint2double_rn(x) + __ll2double_rn(y) + __ull2double_rn(y);
  *out++ = __int_as_float(x) + __uint_as_float(x) + __longlong_as_double(y) + __hiloint2double(x, x);
}

template <class T>
__global__ void accesses(const T* in, T* out) {
  __stcg(out, __ldcg(in));
  __stcs(out + 1, __ldcs(in + 1));
  __stwb(out + 2, __ldca(in + 2));
  out[3] = __ldg(in + 3);
  out[4] = __ldlu(in + 4);
}
template __global__ void accesses(const int*, int*);
template __global__ void accesses(const float4*, float4*);

#define REAL_FUNCTIONS(real, f)                                                                                   \
  __global__ void realFunctions##f(real x, real y, real z, real w, real* out) {                                   \
    *out++ = acos##f(x) + acosh##f(x) + asin##f(x) + asinh##f(x) + atan##f(x) + atanh##f(x) + cbrt##f(x);         \
    *out++ = ceil##f(x) + cos##f(x) + cosh##f(x) + erf##f(x) + erfc##f(x) + exp##f(x) + exp2##f(x) + expm1##f(x); \
    *out++ = fabs##f(x) + floor##f(x) + lgamma##f(x) + log##f(x) + log10##f(x) + log1p##f(x) + log2##f(x);        \
    *out++ = nearbyint##f(x) + rint##f(x) + round##f(x) + sin##f(x) + sinh##f(x) + sqrt##f(x) + tan##f(x);        \
    *out++ = tanh##f(x) + tgamma##f(x) + trunc##f(x) + atan2##f(x, y) + copysign##f(x, y) + fdim##f(x, y);        \
    *out++ = fmax##f(x, y) + fmin##f(x, y) + fmod##f(x, y) + hypot##f(x, y) + nextafter##f(x, y) + pow##f(x, y);  \
    *out++ = remainder##f(x, y) + fma##f(x, y, z) + ldexp##f(x, 3) + scalbn##f(x, 3) + exp10##f(x);               \
    *out++ = rcbrt##f(x) + rhypot##f(x, y) + norm3d##f(x, y, z) + norm4d##f(x, y, z, w) + normcdf##f(x);          \
    *out++ = rnorm3d##f(x, y, z) + rnorm4d##f(x, y, z, w) + sinpi##f(x) + cospi##f(x) + rsqrt##f(x);              \
    *out++ = static_cast<real>(lrint##f(x) + llrint##f(x) + lround##f(x) + llround##f(x)) + modf##f(x, out + 5);  \
    sincos##f(x, out, out + 1);                                                                                   \
    sincospi##f(x, out + 2, out + 3);                                                                             \
    out[4] = isnan(x) + isinf(x) + isfinite(x) + signbit(x) + abs(x);                                             \
  }
REAL_FUNCTIONS(float, f)
REAL_FUNCTIONS(double, )

__global__ void overloads(float x, double y, int k, long j, double* out) {
  *out++ = sin(x) + sin(y) + sin(k) + pow(x, 2) + pow(y, 2) + pow(2, k) + pow(x, y) + pow(y, x) + rsqrt(x) + rsqrt(y);
  static_assert(__is_same(decltype(sin(x)), float) && __is_same(decltype(sin(k)), double));
  static_assert(__is_same(decltype(pow(x, 2)), float) && __is_same(decltype(pow(k, j)), double));
  *out++ = static_cast<double>(abs(k) + abs(j) + labs(j) + llabs(j) + abs(static_cast<long long>(j)));
  *out++ = x < y && atan2(x, x) < hypot(k, j) ? fmin(x, y) : fmax(k, k);
}

__global__ void roundedAndApproximate(float x, float y, double a, double b, float* out) {
  *out++ = __fadd_rn(x, y) + __fsub_rn(x, y) + __fmul_rn(x, y) + __fdiv_rn(x, y) + __fmaf_rn(x, y, x);
  *out++ =
      static_cast<float>(__dadd_rn(a, b) + __dsub_rn(a, b) + __dmul_rn(a, b) + __ddiv_rn(a, b) + __fma_rn(a, b, a));
  *out++ = __frcp_rn(x) + __fsqrt_rn(x) + __frsqrt_rn(x) + static_cast<float>(__drcp_rn(a) + __dsqrt_rn(a));
  *out++ = __saturatef(x) + __fdividef(x, y) + fdividef(x, y) + __expf(x) + __exp10f(x) + __log2f(x) + __logf(x);
  *out++ = __log10f(x) + __powf(x, y) + __sinf(x) + __cosf(x) + __tanf(x);
  __sincosf(x, out, out + 1);
}

__global__ void services(int* out, const char* text) {
  const clock_t start = clock();
  const long long wide = clock64();
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  assert(out != nullptr);
  out[0] = static_cast<int>(clock() - start + clock64() - wide);
  if (text) __trap();
}
