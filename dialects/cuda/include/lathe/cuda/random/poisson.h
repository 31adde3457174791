// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Poisson's numbers and those of distributions that the host made, with cuRAND's names and methods: Knuth's products of
// uniform numbers ("Seminumerical Algorithms", 3.4.1) for small means; rejection under an approximation of the
// incomplete gamma function, a squared logistic one, for larger ones; the normal limit for the largest. Generators
// whose points may not be grouped take one word: the inverse of the distribution by summing it (Fishman,
// "Discrete-event simulation", 2001), or the normal limit.
#ifndef LATHE_CUDA_RANDOM_POISSON_H
#define LATHE_CUDA_RANDOM_POISSON_H

#include <lathe/cuda/random/distributions.h>

namespace lathe::detail {

LATHE_INLINE unsigned roundedNormal(double deviation, double normal, double mean) {
  return __double2uint_rz(deviation * normal + mean + 0.5);
}

/// The distribution of gamma numbers of shape `a`, about 1 / (1 + exp(slope (a - x) - shift))^2, and its inverse.
struct GammaApproximation {
  float a, slope, shift;
  LATHE_INLINE explicit GammaApproximation(float shape)
      : a(shape),
        slope(1.43248035080f * rsqrtf(shape - 0.12400979329f) + 0.00025361074907f),
        shift(0.21096734870f * rsqrtf(shape - 1.97381164089f) + 0.94201734077f) {}
  LATHE_INLINE float operator()(float x) const {
    const float root = 1 + __expf(slope * (a - x) - shift);
    return __fdividef(1.0f, root * root);
  }
  LATHE_INLINE float inverse(float y) const { return a - __fdividef(shift + __logf(rsqrtf(y) - 1), slope); }
};

}  // namespace lathe::detail

template <class State>
LATHE_INLINE unsigned curand_poisson_knuth(State* s, float lambda) {
  unsigned count = 0;
  for (float product = expf(lambda) * curand_uniform(s); product > 1; ++count) product *= curand_uniform(s);
  return count;
}
template <class State>
LATHE_INLINE unsigned curand_poisson_gammainc(State* s, float lambda) {
  const lathe::detail::GammaApproximation gamma(lambda);
  const float logarithm = __logf(lambda);
  while (true) {
    const float x = floorf(gamma.inverse(curand_uniform(s)));
    const float envelope = (gamma(x + 1) - gamma(x)) * 1.3f;
    const float height = curand_uniform(s) * envelope;
    const float density = __expf(-lambda + x * logarithm - static_cast<float>(lgamma(static_cast<double>(x) + 1)));
    if (height < density && envelope >= 1e-20f) return __float2uint_rz(x);
  }
}
/// One number of one word.
template <class Word>
LATHE_INLINE unsigned _curand_poisson(Word x, double lambda) {
  if (lambda >= 1000) return lathe::detail::roundedNormal(sqrt(lambda), _curand_normal_icdf_double(x), lambda);
  // Not 1, which the sum does not reach.
  const double u = sizeof(Word) == 4 ? static_cast<double>(x) * 0x1p-32 + 0x1p-33
                                     : static_cast<double>(x >> (sizeof(Word) == 4 ? 0 : 11)) * 0x1p-53 + 0x1p-55;
  // exp(-lambda) is too small for a number: 500 of the exponent at a time.
  double term = 1, sum = 1;
  unsigned count = 0;
  for (double done = 0; done < lambda || done == 0; done += 500) {
    const double factor = exp(lambda > done + 500 ? -500.0 : done - lambda);
    term *= factor;
    sum *= factor;
    while (u > sum && term > 0) {
      term *= lambda / ++count;
      sum += term;
    }
  }
  return count;
}

#define LATHE_CURAND(State)                                                             \
  LATHE_INLINE unsigned curand_poisson(State* s, double lambda) {                       \
    if (lambda < 64) return curand_poisson_knuth(s, static_cast<float>(lambda));        \
    if (lambda <= 4000) return curand_poisson_gammainc(s, static_cast<float>(lambda));  \
    return lathe::detail::roundedNormal(sqrt(lambda), curand_normal_double(s), lambda); \
  }
LATHE_CURAND(curandStateXORWOW)
LATHE_CURAND(curandStatePhilox4_32_10)
LATHE_CURAND(curandStateMRG32k3a)
#undef LATHE_CURAND
#define LATHE_CURAND(State)                                       \
  LATHE_INLINE unsigned curand_poisson(State* s, double lambda) { \
    return _curand_poisson(curand(s), lambda);                    \
  }
LATHE_CURAND(curandStateSobol32)
LATHE_CURAND(curandStateScrambledSobol32)
LATHE_CURAND(curandStateSobol64)
LATHE_CURAND(curandStateScrambledSobol64)
LATHE_CURAND(curandStateMtgp32)
#undef LATHE_CURAND

namespace lathe::detail {
LATHE_INLINE uint4 roundedNormals(curandStatePhilox4_32_10* s, double deviation, double mean) {
  const double4 normals = curand_normal4_double(s);
  return {roundedNormal(deviation, normals.x, mean), roundedNormal(deviation, normals.y, mean),
          roundedNormal(deviation, normals.z, mean), roundedNormal(deviation, normals.w, mean)};
}
}  // namespace lathe::detail
LATHE_INLINE uint4 curand_poisson4(curandStatePhilox4_32_10* s, double lambda) {
  if (lambda > 4000) return lathe::detail::roundedNormals(s, sqrt(lambda), lambda);
  return lathe::detail::fourOf([&] { return curand_poisson(s, lambda); });
}

// Distributions that the host made (curandCreatePoissonDistribution): the histogram of the square method of Marsaglia,
// Tsang and Wang ("Fast generation of discrete random variables", 2004), or beyond its means the normal limit.
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

template <class Word>
LATHE_INLINE unsigned _curand_discrete(Word x, curandDiscreteDistribution_t distribution) {
  if (distribution->method != 5)
    return lathe::detail::roundedNormal(distribution->stddev, _curand_normal_icdf_double(x), distribution->mean);
  const curandDistributionM2Shift_st& squares = *distribution->M2;
  const double u = _curand_uniform_double(x);
  const int at = static_cast<int>(floor(squares.length * u));
  return squares.shift + (u < squares.histogram->V[at] ? static_cast<unsigned>(at) : squares.histogram->K[at]);
}
template <class State>
LATHE_INLINE unsigned curand_discrete(State* s, curandDiscreteDistribution_t distribution) {
  if (distribution->method == 5) return _curand_discrete(curand(s), distribution);
  return lathe::detail::roundedNormal(distribution->stddev, curand_normal_double(s), distribution->mean);
}
LATHE_INLINE uint4 curand_discrete4(curandStatePhilox4_32_10* s, curandDiscreteDistribution_t distribution) {
  if (distribution->method != 5) return lathe::detail::roundedNormals(s, distribution->stddev, distribution->mean);
  return lathe::detail::fourOf([&] { return curand_discrete(s, distribution); });
}

#endif
