// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uniform, normal and log-normal numbers with cuRAND's names: which words a number takes, and which second number of a
// pair a state keeps for the next call, are cuRAND's. Normal numbers are Box and Muller's ("A note on the generation of
// random normal deviates", 1958), where a generator's points may not be paired, the inverse of their distribution.
#ifndef LATHE_CUDA_RANDOM_DISTRIBUTIONS_H
#define LATHE_CUDA_RANDOM_DISTRIBUTIONS_H

#include <lathe/cuda/random/mrg32k3a.h>
#include <lathe/cuda/random/mtgp32.h>
#include <lathe/cuda/random/philox.h>
#include <lathe/cuda/random/sobol.h>
#include <lathe/cuda/random/xorwow.h>

// The steps of the distributions, which programs with counters of their own call. Uniform numbers are in (0, 1].
LATHE_INLINE float _curand_uniform(unsigned x) {
  return fmaf(static_cast<float>(x), 0x1p-32f, 0x1p-33f);
}
LATHE_INLINE float4 _curand_uniform4(uint4 x) {
  return {_curand_uniform(x.x), _curand_uniform(x.y), _curand_uniform(x.z), _curand_uniform(x.w)};
}
LATHE_INLINE double _curand_uniform_double(unsigned x) {
  return static_cast<double>(x) * 0x1p-32 + 0x1p-32;
}
LATHE_INLINE float _curand_uniform(unsigned long long x) {
  return _curand_uniform(static_cast<unsigned>(x >> 32));
}
LATHE_INLINE double _curand_uniform_double(unsigned long long x) {
  return static_cast<double>(x >> 11) * 0x1p-53 + 0x1p-54;
}
LATHE_INLINE double _curand_uniform_double_hq(unsigned x, unsigned y) {
  return static_cast<double>(x ^ static_cast<unsigned long long>(y) << 21) * 0x1p-53 + 0x1p-54;
}
LATHE_INLINE float2 _curand_box_muller(unsigned x, unsigned y) {
  const float radius = sqrtf(-2 * logf(_curand_uniform(x)));
  float sine, cosine;
  sincospif(static_cast<float>(y) * 0x1p-31f + 0x1p-32f, &sine, &cosine);
  return {radius * sine, radius * cosine};
}
LATHE_INLINE double2 _curand_box_muller_double(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  const double radius = sqrt(-2 * log(_curand_uniform_double_hq(x0, x1)));
  double sine, cosine;
  sincospi(2 * _curand_uniform_double_hq(y0, y1), &sine, &cosine);
  return {radius * sine, radius * cosine};
}

// The upper half of the words is mirrored, so that numbers far from 0 are as exact on both sides.
LATHE_INLINE float _curand_normal_icdf(unsigned x) {
  const bool isUpper = x > 0x80000000u;
  const float root = isUpper ? 1.4142135f : -1.4142135f;
  return root * erfcinvf(2 * _curand_uniform(isUpper ? ~x : x));
}
LATHE_INLINE float _curand_normal_icdf(unsigned long long x) {
  return _curand_normal_icdf(static_cast<unsigned>(x >> 32));
}
LATHE_INLINE double _curand_normal_icdf_double(unsigned x) {
  const bool isUpper = x > 0x80000000u;
  const double root = isUpper ? 1.4142135623730951 : -1.4142135623730951;
  return root * erfcinv(static_cast<double>(isUpper ? ~x : x) * 0x1p-31 + 0x1p-32);
}
LATHE_INLINE double _curand_normal_icdf_double(unsigned long long x) {
  const bool isUpper = x >> 11 > 1ull << 52;
  const double root = isUpper ? 1.4142135623730951 : -1.4142135623730951;
  return root * erfcinv(2 * _curand_uniform_double(isUpper ? ~x : x));
}

LATHE_INLINE float curand_uniform(curandStateXORWOW* s) {
  return _curand_uniform(curand(s));
}
LATHE_INLINE double curand_uniform_double(curandStateXORWOW* s) {
  const unsigned x = curand(s), y = curand(s);
  return _curand_uniform_double_hq(x, y);
}
LATHE_INLINE double curand_uniform_double(curandStateMRG32k3a* s) {
  return curand_MRG32k3a(s) * 2.3283065498378288e-10;
}
LATHE_INLINE float curand_uniform(curandStateMRG32k3a* s) {
  return static_cast<float>(curand_uniform_double(s));
}
LATHE_INLINE float curand_uniform(curandStatePhilox4_32_10* s) {
  return _curand_uniform(curand(s));
}
/// Of one word; two at once are of two each.
LATHE_INLINE double curand_uniform_double(curandStatePhilox4_32_10* s) {
  return _curand_uniform_double(curand(s));
}
LATHE_INLINE float4 curand_uniform4(curandStatePhilox4_32_10* s) {
  return _curand_uniform4(curand4(s));
}
LATHE_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10* s) {
  const uint4 x = curand4(s);
  return {_curand_uniform_double_hq(x.x, x.y), _curand_uniform_double_hq(x.z, x.w)};
}
LATHE_INLINE double4 curand_uniform4_double(curandStatePhilox4_32_10* s) {
  const double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s);
  return {a.x, a.y, b.x, b.y};
}

// Pairs of normal numbers.
template <class State>
LATHE_INLINE float2 curand_box_muller(State* s) {
  const unsigned x = curand(s), y = curand(s);
  return _curand_box_muller(x, y);
}
template <class State>
LATHE_INLINE float4 curand_box_muller4(State* s) {
  const uint4 x = curand4(s);
  const float2 a = _curand_box_muller(x.x, x.y), b = _curand_box_muller(x.z, x.w);
  return {a.x, a.y, b.x, b.y};
}
template <class State>
LATHE_INLINE double2 curand_box_muller_double(State* s) {
  const unsigned x0 = curand(s), x1 = curand(s), y0 = curand(s), y1 = curand(s);
  return _curand_box_muller_double(x0, x1, y0, y1);
}
template <class State>
LATHE_INLINE double2 curand_box_muller2_double(State* s) {
  const uint4 x = curand4(s);
  return _curand_box_muller_double(x.x, x.y, x.z, x.w);
}
template <class State>
LATHE_INLINE double4 curand_box_muller4_double(State* s) {
  const double2 a = curand_box_muller2_double(s), b = curand_box_muller2_double(s);
  return {a.x, a.y, b.x, b.y};
}
LATHE_INLINE float2 curand_box_muller_mrg(curandStateMRG32k3a* s) {
  const float radius = sqrtf(-2 * logf(curand_uniform(s)));
  float sine, cosine;
  sincospif(2 * curand_uniform(s), &sine, &cosine);
  return {radius * sine, radius * cosine};
}
LATHE_INLINE double2 curand_box_muller_mrg_double(curandStateMRG32k3a* s) {
  const double radius = sqrt(-2 * log(curand_uniform_double(s)));
  double sine, cosine;
  sincospi(2 * curand_uniform_double(s), &sine, &cosine);
  return {radius * sine, radius * cosine};
}
LATHE_INLINE float2 curand_normal2(curandStateXORWOW* s) {
  return curand_box_muller(s);
}
LATHE_INLINE float2 curand_normal2(curandStatePhilox4_32_10* s) {
  return curand_box_muller(s);
}
LATHE_INLINE float2 curand_normal2(curandStateMRG32k3a* s) {
  return curand_box_muller_mrg(s);
}
LATHE_INLINE double2 curand_normal2_double(curandStateXORWOW* s) {
  return curand_box_muller_double(s);
}
LATHE_INLINE double2 curand_normal2_double(curandStatePhilox4_32_10* s) {
  return curand_box_muller2_double(s);
}
LATHE_INLINE double2 curand_normal2_double(curandStateMRG32k3a* s) {
  return curand_box_muller_mrg_double(s);
}
LATHE_INLINE float4 curand_normal4(curandStatePhilox4_32_10* s) {
  return curand_box_muller4(s);
}
LATHE_INLINE double4 curand_normal4_double(curandStatePhilox4_32_10* s) {
  return curand_box_muller4_double(s);
}

namespace lathe::detail {
/// The kinds of number that a state keeps: one of another kind is dropped.
enum KeptNumber { keptNothing, keptNormal, keptLogNormal };

/// The second number of the last pair, if it is of this kind, or the first of a new one.
template <KeptNumber kind, class Flag, class Number, class Pair>
LATHE_INLINE Number oneOfPair(Flag& flag, Number& extra, Pair pair) {
  if (flag == kind) {
    flag = keptNothing;
    return extra;
  }
  const auto both = pair();
  flag = kind;
  extra = both.y;
  return both.x;
}
}  // namespace lathe::detail

#define LATHE_CURAND(State)                                                                                         \
  LATHE_INLINE float curand_normal(State* s) {                                                                      \
    return lathe::detail::oneOfPair<lathe::detail::keptNormal>(s->boxmuller_flag, s->boxmuller_extra,               \
                                                               [=] { return curand_normal2(s); });                  \
  }                                                                                                                 \
  LATHE_INLINE double curand_normal_double(State* s) {                                                              \
    return lathe::detail::oneOfPair<lathe::detail::keptNormal>(s->boxmuller_flag_double, s->boxmuller_extra_double, \
                                                               [=] { return curand_normal2_double(s); });           \
  }                                                                                                                 \
  LATHE_INLINE float2 curand_log_normal2(State* s, float mean, float deviation) {                                   \
    const float2 pair = curand_normal2(s);                                                                          \
    return {expf(fmaf(pair.x, deviation, mean)), expf(fmaf(pair.y, deviation, mean))};                              \
  }                                                                                                                 \
  LATHE_INLINE double2 curand_log_normal2_double(State* s, double mean, double deviation) {                         \
    const double2 pair = curand_normal2_double(s);                                                                  \
    return {exp(fma(pair.x, deviation, mean)), exp(fma(pair.y, deviation, mean))};                                  \
  }                                                                                                                 \
  LATHE_INLINE float curand_log_normal(State* s, float mean, float deviation) {                                     \
    return lathe::detail::oneOfPair<lathe::detail::keptLogNormal>(                                                  \
        s->boxmuller_flag, s->boxmuller_extra, [=] { return curand_log_normal2(s, mean, deviation); });             \
  }                                                                                                                 \
  LATHE_INLINE double curand_log_normal_double(State* s, double mean, double deviation) {                           \
    return lathe::detail::oneOfPair<lathe::detail::keptLogNormal>(                                                  \
        s->boxmuller_flag_double, s->boxmuller_extra_double,                                                        \
        [=] { return curand_log_normal2_double(s, mean, deviation); });                                             \
  }
LATHE_CURAND(curandStateXORWOW)
LATHE_CURAND(curandStatePhilox4_32_10)
LATHE_CURAND(curandStateMRG32k3a)
#undef LATHE_CURAND
LATHE_INLINE float4 curand_log_normal4(curandStatePhilox4_32_10* s, float mean, float deviation) {
  const float2 a = curand_log_normal2(s, mean, deviation), b = curand_log_normal2(s, mean, deviation);
  return {a.x, a.y, b.x, b.y};
}
LATHE_INLINE double4 curand_log_normal4_double(curandStatePhilox4_32_10* s, double mean, double deviation) {
  const double2 a = curand_log_normal2_double(s, mean, deviation), b = curand_log_normal2_double(s, mean, deviation);
  return {a.x, a.y, b.x, b.y};
}

// A number for each word.
#define LATHE_CURAND(State)                                                               \
  LATHE_INLINE float curand_uniform(State* s) {                                           \
    return _curand_uniform(curand(s));                                                    \
  }                                                                                       \
  LATHE_INLINE double curand_uniform_double(State* s) {                                   \
    return _curand_uniform_double(curand(s));                                             \
  }                                                                                       \
  LATHE_INLINE float curand_normal(State* s) {                                            \
    return _curand_normal_icdf(curand(s));                                                \
  }                                                                                       \
  LATHE_INLINE double curand_normal_double(State* s) {                                    \
    return _curand_normal_icdf_double(curand(s));                                         \
  }                                                                                       \
  LATHE_INLINE float curand_log_normal(State* s, float mean, float deviation) {           \
    return expf(fmaf(curand_normal(s), deviation, mean));                                 \
  }                                                                                       \
  LATHE_INLINE double curand_log_normal_double(State* s, double mean, double deviation) { \
    return exp(fma(curand_normal_double(s), deviation, mean));                            \
  }
LATHE_CURAND(curandStateSobol32)
LATHE_CURAND(curandStateScrambledSobol32)
LATHE_CURAND(curandStateSobol64)
LATHE_CURAND(curandStateScrambledSobol64)
LATHE_CURAND(curandStateMtgp32)
#undef LATHE_CURAND

#endif
