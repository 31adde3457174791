// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of reals that are exact: numbers taken apart and put together, roundings to whole numbers, neighbours,
// minima; one output a function, as bits, so that signs of zeros count. What is not a number is written as one pattern.
template <class Real, class Bits>
struct Store {
  Bits* out;
  int n;
  __device__ void operator()(Real x) {
    Bits bits;
    memcpy(&bits, &x, sizeof(bits));
    *out = x == x ? bits : ~Bits(0);
    out += n;
  }
};

#define KERNEL(kernel, Real, Bits, f)                                                              \
  __global__ void kernel(const Real* a, const Real* b, Bits* out, long long* whole, int n) {       \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                           \
    if (i >= n) return;                                                                            \
    const Real x = a[i], y = b[i];                                                                 \
    Store<Real, Bits> put{out + i, n};                                                             \
    long long* o = whole + i;                                                                      \
    const auto count = [&](long long number) {                                                     \
      *o = number;                                                                                 \
      o += n;                                                                                      \
    };                                                                                             \
    put(ceil##f(x));                                                                               \
    put(floor##f(x));                                                                              \
    put(trunc##f(x));                                                                              \
    put(rint##f(x));                                                                               \
    put(nearbyint##f(x));                                                                          \
    put(round##f(x));                                                                              \
    put(copysign##f(x, y));                                                                        \
    put(nextafter##f(x, y));                                                                       \
    put(fmax##f(x, y) + 0);                                                                        \
    put(fmin##f(x, y) + 0);                                                                        \
    put(fdim##f(x, y));                                                                            \
    put(logb##f(x));                                                                               \
    put(fabs##f(x));                                                                               \
    int exponent = 77;                                                                             \
    const Real fraction = frexp##f(x, &exponent);                                                  \
    put(fraction);                                                                                 \
    put(ldexp##f(fraction, exponent));                                                             \
    put(scalbn##f(x, i % 41 - 20));                                                                \
    put(scalbln##f(x, static_cast<long>(i) % 4000 - 2000));                                        \
    Real integral;                                                                                 \
    put(modf##f(x, &integral));                                                                    \
    put(integral);                                                                                 \
    int quotient = 77;                                                                             \
    const bool divides = x - x == 0 && y - y == 0 && y != 0;                                       \
    put(remquo##f(divides ? x : Real(7.5), divides ? y : Real(-2), &quotient));                    \
    put(nan##f(""));                                                                               \
    count((quotient < 0 ? -quotient : quotient) & 7);                                              \
    count(exponent);                                                                               \
    count(ilogb##f(x));                                                                            \
    const Real small = fabs##f(x) < Real(4e18) ? x : Real(-2.5);                                   \
    count(lrint##f(small));                                                                        \
    count(llrint##f(small));                                                                       \
    count(lround##f(small));                                                                       \
    count(llround##f(small));                                                                      \
  }
KERNEL(floats, float, unsigned, f)
KERNEL(doubles, double, unsigned long long, )

/// Minima and absolute values of integers by the names that C and CUDA gave them before there were overloads.
__global__ void integers(const long long* a, const long long* b, long long* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const long long x = a[i], y = b[i];
  const auto u = static_cast<unsigned>(x), v = static_cast<unsigned>(y);
  const auto p = static_cast<unsigned long long>(x), q = static_cast<unsigned long long>(y);
  const long long row[] = {umin(u, v),
                           umax(u, v),
                           llmin(x, y),
                           llmax(x, y),
                           static_cast<long long>(ullmin(p, q)),
                           static_cast<long long>(ullmax(p, q)),
                           labs(x / 2),
                           llabs(y / 2),
                           abs(static_cast<int>(x) / 2),
                           __dp2a_lo(static_cast<int>(x), static_cast<int>(y), 5),
                           __dp2a_hi(static_cast<int>(x), static_cast<int>(y), 5),
                           __dp2a_lo(u, v, 5u),
                           __dp2a_hi(u, v, 5u),
                           __nv_bswap16(static_cast<unsigned short>(x)),
                           __nv_bswap32(u),
                           static_cast<long long>(__nv_bswap64(p)),
                           static_cast<int>(__fns(u, v & 31, 0)),
                           static_cast<int>(__fns(u, v & 31, 1 + (i & 7))),
                           static_cast<int>(__fns(u, v & 31, -1 - (i & 7)))};
  for (int k = 0; k < 19; ++k) out[k * n + i] = row[k];
}

/// A number's classes by the names of the C library that CUDA's compiler knows.
__device__ int classes(double x) {
  return (__finite(x) != 0) | (__isinf(x) != 0) << 1 | (__isnan(x) != 0) << 2 | (__signbit(x) != 0) << 3;
}
__device__ int classes(float x) {
  return (__finitef(x) != 0) | (__isinff(x) != 0) << 1 | (__isnanf(x) != 0) << 2 | (__signbitf(x) != 0) << 3;
}

/// C's comparisons, of which none is true of a NaN but the last; and whether a number has all its digits.
template <class Real>
__global__ void comparisons(const Real* a, const Real* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Real x = a[i], y = b[i];
  out[i] = isgreater(x, y) | isgreaterequal(x, y) << 1 | isless(x, y) << 2 | islessequal(x, y) << 3 |
           islessgreater(x, y) << 4 | isunordered(x, y) << 5 | isnormal(x) << 6 | classes(y) << 7;
}

/// Bessel functions of whole orders.
__global__ void orders(const float* x, float* floats, double* doubles, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int order = i % 6;
  floats[i] = jnf(order, x[i]);
  floats[n + i] = ynf(order, x[i]);
  doubles[i] = jn(order, static_cast<double>(x[i]));
  doubles[n + i] = yn(order, static_cast<double>(x[i]));
}
