// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers in kernels, with cuRAND's names. Philox is the counter-based generator of Salmon, Moraes, Dror and
// Shaw
// ("Parallel random numbers: as easy as 1, 2, 3", 2011), ten rounds, and gives cuRAND's numbers. XORWOW is Marsaglia's
// ("Xorshift RNGs", 2003) with cuRAND's seeds; its subsequences are told apart by hashing and not by jumping ahead 2^67
// steps, so only subsequence 0 gives cuRAND's numbers. MRG32k3a is L'Ecuyer's, with the same remark.
#ifndef LATHE_CUDA_CURAND_KERNEL_H
#define LATHE_CUDA_CURAND_KERNEL_H

#include <lathe/cuda/prelude.h>
#include <lathe/cuda/sobol.h>
#include <lathe/device/random.h>

struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

namespace lathe::detail {

LATHE_INLINE unsigned mixed(unsigned long long x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdull;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ull;
  return static_cast<unsigned>(x ^ x >> 33);
}
LATHE_INLINE uint4 philox(uint4 c, uint2 k) {
  const random4 out = philox4x32({c.x, c.y, c.z, c.w}, k.x, k.y);
  return {out.x, out.y, out.z, out.w};
}
template <class State>
LATHE_INLINE void clearNormals(State* state) {
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}
/// Adds to a counter of 64 bits in two words and tells the carry.
LATHE_INLINE bool addTo(unsigned& low, unsigned& high, unsigned long long n) {
  const unsigned long long before = static_cast<unsigned long long>(high) << 32 | low, after = before + n;
  low = static_cast<unsigned>(after);
  high = static_cast<unsigned>(after >> 32);
  return after < before;
}
LATHE_INLINE void skipBlocks(curandStatePhilox4_32_10* s, unsigned long long n) {
  if (addTo(s->ctr.x, s->ctr.y, n)) addTo(s->ctr.z, s->ctr.w, 1);
}

}  // namespace lathe::detail

LATHE_INLINE void skipahead(unsigned long long n, curandStatePhilox4_32_10* s) {
  s->STATE += static_cast<unsigned>(n & 3);
  n /= 4;
  if (s->STATE > 3) {
    ++n;
    s->STATE -= 4;
  }
  lathe::detail::skipBlocks(s, n);
  s->output = lathe::detail::philox(s->ctr, s->key);
}
LATHE_INLINE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* s) {
  lathe::detail::addTo(s->ctr.z, s->ctr.w, n);
  s->output = lathe::detail::philox(s->ctr, s->key);
}
LATHE_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                              curandStatePhilox4_32_10* s) {
  s->ctr = {0, 0, 0, 0};
  s->key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  s->STATE = 0;
  lathe::detail::clearNormals(s);
  skipahead_sequence(subsequence, s);
  skipahead(offset, s);
}
LATHE_INLINE unsigned curand(curandStatePhilox4_32_10* s) {
  // Values are chosen, not places: those would keep the state in memory.
  const uint4 words = s->output;
  const unsigned low = s->STATE & 1 ? +words.y : +words.x, high = s->STATE & 1 ? +words.w : +words.z;
  const unsigned out = s->STATE & 2 ? high : low;
  if (++s->STATE == 4) {
    lathe::detail::skipBlocks(s, 1);
    s->output = lathe::detail::philox(s->ctr, s->key);
    s->STATE = 0;
  }
  return out;
}
LATHE_INLINE uint4 curand4(curandStatePhilox4_32_10* s) {
  uint4 out;
  out.x = curand(s);
  out.y = curand(s);
  out.z = curand(s);
  out.w = curand(s);
  return out;
}

LATHE_INLINE unsigned curand(curandStateXORWOW* s) {
  const unsigned t = s->v[0] ^ s->v[0] >> 2;
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = s->v[4];
  s->v[4] = (s->v[4] ^ s->v[4] << 4) ^ (t ^ t << 1);
  s->d += 362437;
  return s->v[4] + s->d;
}
LATHE_INLINE void skipahead(unsigned long long n, curandStateXORWOW* s) {
  for (; n > 0; --n) curand(s);
}
LATHE_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                              curandStateXORWOW* s) {
  const unsigned s0 = static_cast<unsigned>(seed) ^ 0xaad26b49u, s1 = static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu;
  const unsigned t0 = 1099087573u * s0, t1 = 2591861531u * s1;
  s->d = 6615241u + t1 + t0;
  s->v[0] = 123456789u + t0;
  s->v[1] = 362436069u ^ t0;
  s->v[2] = 521288629u + t1;
  s->v[3] = 88675123u ^ t1;
  s->v[4] = 5783321u + t0;
  if (subsequence != 0) {
    for (unsigned i = 0; i < 5; ++i) s->v[i] ^= lathe::detail::mixed(subsequence * 5 + i);
    s->v[4] |= s->v[0] == 0;
  }
  lathe::detail::clearNormals(s);
  skipahead(offset, s);
}

LATHE_INLINE unsigned curand(curandStateMRG32k3a* s) {
  constexpr unsigned long long m1 = 4294967087ull, m2 = 4294944443ull;
  const unsigned long long p1 = (1403580ull * s->s1[1] + (m1 - s->s1[0]) * 810728ull % m1) % m1;
  const unsigned long long p2 = (527612ull * s->s2[2] + (m2 - s->s2[0]) * 1370589ull % m2) % m2;
  s->s1[0] = s->s1[1];
  s->s1[1] = s->s1[2];
  s->s1[2] = static_cast<unsigned>(p1);
  s->s2[0] = s->s2[1];
  s->s2[1] = s->s2[2];
  s->s2[2] = static_cast<unsigned>(p2);
  return static_cast<unsigned>(p1 > p2 ? p1 - p2 : p1 + m1 - p2);
}
LATHE_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                              curandStateMRG32k3a* s) {
  for (unsigned i = 0; i < 3; ++i) {
    s->s1[i] = 1 + lathe::detail::mixed(seed * 6 + i + (subsequence << 20)) % 4294967086u;
    s->s2[i] = 1 + lathe::detail::mixed(seed * 6 + 3 + i + (subsequence << 20)) % 4294944442u;
  }
  lathe::detail::clearNormals(s);
  for (; offset > 0; --offset) curand(s);
}

// The steps of the distributions that cuRAND's header has names for, and programs with counters of their own call. Uniform
// numbers are in (0, 1], as cuRAND's are.
LATHE_INLINE uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
  return lathe::detail::philox(counter, key);
}
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

// Every distribution over every generator.
#define LATHE_CURAND(State)                                                                                        \
  LATHE_INLINE float curand_uniform(State* s) {                                                                    \
    return _curand_uniform(curand(s));                                                                             \
  }                                                                                                                \
  LATHE_INLINE double curand_uniform_double(State* s) {                                                            \
    const unsigned x = curand(s), y = curand(s);                                                                   \
    return _curand_uniform_double_hq(x, y);                                                                        \
  }                                                                                                                \
  LATHE_INLINE float2 curand_normal2(State* s) {                                                                   \
    const unsigned x = curand(s), y = curand(s);                                                                   \
    return _curand_box_muller(x, y);                                                                               \
  }                                                                                                                \
  LATHE_INLINE float curand_normal(State* s) {                                                                     \
    if (s->boxmuller_flag) {                                                                                       \
      s->boxmuller_flag = 0;                                                                                       \
      return s->boxmuller_extra;                                                                                   \
    }                                                                                                              \
    const float2 pair = curand_normal2(s);                                                                         \
    s->boxmuller_flag = 1;                                                                                         \
    s->boxmuller_extra = pair.y;                                                                                   \
    return pair.x;                                                                                                 \
  }                                                                                                                \
  LATHE_INLINE double2 curand_normal2_double(State* s) {                                                           \
    const double u = curand_uniform_double(s), v = 2 * curand_uniform_double(s);                                   \
    const double radius = sqrt(-2 * log(u));                                                                       \
    double sine, cosine;                                                                                           \
    sincospi(v, &sine, &cosine);                                                                                   \
    return {radius * sine, radius * cosine};                                                                       \
  }                                                                                                                \
  LATHE_INLINE double curand_normal_double(State* s) {                                                             \
    if (s->boxmuller_flag_double) {                                                                                \
      s->boxmuller_flag_double = 0;                                                                                \
      return s->boxmuller_extra_double;                                                                            \
    }                                                                                                              \
    const double2 pair = curand_normal2_double(s);                                                                 \
    s->boxmuller_flag_double = 1;                                                                                  \
    s->boxmuller_extra_double = pair.y;                                                                            \
    return pair.x;                                                                                                 \
  }                                                                                                                \
  /* Knuth's product of uniforms; beyond what it can do in reasonable time, the normal limit. */                   \
  LATHE_INLINE unsigned curand_poisson(State* s, double lambda) {                                                  \
    if (lambda > 64) {                                                                                             \
      const double x = floor(curand_normal_double(s) * sqrt(lambda) + lambda + 0.5);                               \
      return x > 0 ? static_cast<unsigned>(x) : 0u;                                                                \
    }                                                                                                              \
    const double limit = exp(-lambda);                                                                             \
    unsigned count = 0;                                                                                            \
    for (double product = curand_uniform_double(s); product > limit; ++count) product *= curand_uniform_double(s); \
    return count;                                                                                                  \
  }
LATHE_CURAND(curandStateXORWOW)
LATHE_CURAND(curandStatePhilox4_32_10)
LATHE_CURAND(curandStateMRG32k3a)
#undef LATHE_CURAND

#define LATHE_CURAND(State)                                                                 \
  LATHE_INLINE float2 curand_log_normal2(State* s, float mean, float deviation) {           \
    const float2 pair = curand_normal2(s);                                                  \
    return {expf(fmaf(pair.x, deviation, mean)), expf(fmaf(pair.y, deviation, mean))};      \
  }                                                                                         \
  LATHE_INLINE double2 curand_log_normal2_double(State* s, double mean, double deviation) { \
    const double2 pair = curand_normal2_double(s);                                          \
    return {exp(fma(pair.x, deviation, mean)), exp(fma(pair.y, deviation, mean))};          \
  }
LATHE_CURAND(curandStateXORWOW)
LATHE_CURAND(curandStatePhilox4_32_10)
LATHE_CURAND(curandStateMRG32k3a)
#undef LATHE_CURAND
#define LATHE_CURAND(State)                                                               \
  LATHE_INLINE float curand_log_normal(State* s, float mean, float deviation) {           \
    return expf(fmaf(curand_normal(s), deviation, mean));                                 \
  }                                                                                       \
  LATHE_INLINE double curand_log_normal_double(State* s, double mean, double deviation) { \
    return exp(fma(curand_normal_double(s), deviation, mean));                            \
  }
LATHE_CURAND(curandStateXORWOW)
LATHE_CURAND(curandStatePhilox4_32_10)
LATHE_CURAND(curandStateMRG32k3a)
LATHE_CURAND(curandStateSobol32)
LATHE_CURAND(curandStateScrambledSobol32)
LATHE_CURAND(curandStateSobol64)
LATHE_CURAND(curandStateScrambledSobol64)
#undef LATHE_CURAND

LATHE_INLINE float4 curand_uniform4(curandStatePhilox4_32_10* s) {
  float4 out;
  out.x = curand_uniform(s);
  out.y = curand_uniform(s);
  out.z = curand_uniform(s);
  out.w = curand_uniform(s);
  return out;
}
LATHE_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10* s) {
  double2 out;
  out.x = curand_uniform_double(s);
  out.y = curand_uniform_double(s);
  return out;
}
LATHE_INLINE float4 curand_normal4(curandStatePhilox4_32_10* s) {
  const float2 a = curand_normal2(s), b = curand_normal2(s);
  return {a.x, a.y, b.x, b.y};
}
LATHE_INLINE float4 curand_log_normal4(curandStatePhilox4_32_10* s, float mean, float deviation) {
  const float2 a = curand_log_normal2(s, mean, deviation), b = curand_log_normal2(s, mean, deviation);
  return {a.x, a.y, b.x, b.y};
}
LATHE_INLINE double4 curand_uniform4_double(curandStatePhilox4_32_10* s) {
  const double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s);
  return {a.x, a.y, b.x, b.y};
}
LATHE_INLINE double4 curand_normal4_double(curandStatePhilox4_32_10* s) {
  const double2 a = curand_normal2_double(s), b = curand_normal2_double(s);
  return {a.x, a.y, b.x, b.y};
}
LATHE_INLINE double4 curand_log_normal4_double(curandStatePhilox4_32_10* s, double mean, double deviation) {
  const double2 a = curand_log_normal2_double(s, mean, deviation), b = curand_log_normal2_double(s, mean, deviation);
  return {a.x, a.y, b.x, b.y};
}
namespace lathe::detail {
/// Four numbers, drawn one after the other.
template <class Draw>
LATHE_INLINE uint4 fourOf(Draw draw) {
  uint4 out;
  out.x = draw();
  out.y = draw();
  out.z = draw();
  out.w = draw();
  return out;
}
}  // namespace lathe::detail
LATHE_INLINE uint4 curand_poisson4(curandStatePhilox4_32_10* s, double lambda) {
  return lathe::detail::fourOf([&] { return curand_poisson(s, lambda); });
}

// Distributions that the host made (curandCreatePoissonDistribution): the histogram of the square method, or beyond its
// means the normal limit.
struct curandHistogramM2_st {
  double *V, *host_V;
  unsigned *K, *host_K;
  unsigned host_gen;
};
struct curandDistributionM2Shift_st {
  curandHistogramM2_st *histogram, *host_histogram;
  unsigned shift, length, host_gen;
};
struct curandDiscreteDistribution_st {
  curandDiscreteDistribution_st* self_host_ptr;
  curandDistributionM2Shift_st *M2, *host_M2;
  double stddev, mean;
  int method;  // CURAND_M2 is 5
  unsigned host_gen;
};
typedef curandDiscreteDistribution_st* curandDiscreteDistribution_t;

template <class State>
LATHE_INLINE unsigned curand_discrete(State* s, curandDiscreteDistribution_t distribution) {
  if (distribution->method != 5)
    return static_cast<unsigned>(distribution->stddev * curand_normal_double(s) + distribution->mean + 0.5);
  const curandDistributionM2Shift_st& squares = *distribution->M2;
  const double u = _curand_uniform_double(curand(s));
  const int at = static_cast<int>(floor(squares.length * u));
  return squares.shift + (u < squares.histogram->V[at] ? static_cast<unsigned>(at) : squares.histogram->K[at]);
}
LATHE_INLINE uint4 curand_discrete4(curandStatePhilox4_32_10* s, curandDiscreteDistribution_t distribution) {
  return lathe::detail::fourOf([&] { return curand_discrete(s, distribution); });
}

#endif
