// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributions over Philox and XORWOW, each from a state of its own, so that every output begins at the same words.
#include <curand_kernel.h>

template <class State>
__device__ State begin(unsigned long long seed, unsigned sequence) {
  State state;
  curand_init(seed, sequence, 0, &state);
  return state;
}

/// Words: four from each place of a block, and of the sequence after next.
__global__ void words(unsigned long long seed, unsigned* out) {
  const unsigned i = threadIdx.x;
  auto state = begin<curandStatePhilox4_32_10_t>(seed, i);
  for (unsigned k = 0; k < i % 5; ++k) curand(&state);
  const uint4 four = curand4(&state);
  unsigned* const row = out + 6 * i;
  row[0] = four.x, row[1] = four.y, row[2] = four.z, row[3] = four.w;
  row[4] = curand(&state);
  skipahead_sequence(2, &state);
  row[5] = curand(&state);
}

template <class State>
__device__ void draw(unsigned long long seed, unsigned sequence, float* single, double* wide, unsigned* counts) {
  const auto fresh = [=] { return begin<State>(seed, sequence); };
  State s = fresh();
  single[0] = curand_uniform(&s);
  s = fresh();
  for (int k = 0; k < 3; ++k) single[1 + k] = curand_normal(&s);
  s = fresh();
  const float2 pair = curand_normal2(&s);
  single[4] = pair.x, single[5] = pair.y;
  s = fresh();
  single[6] = curand_log_normal(&s, 0.25f, 0.5f);
  s = fresh();
  const float2 pairOfLog = curand_log_normal2(&s, 0.25f, 0.5f);
  single[7] = pairOfLog.x, single[8] = pairOfLog.y;
  s = fresh();
  wide[0] = curand_uniform_double(&s);
  s = fresh();
  for (int k = 0; k < 3; ++k) wide[1 + k] = curand_normal_double(&s);
  s = fresh();
  const double2 both = curand_normal2_double(&s);
  wide[4] = both.x, wide[5] = both.y;
  s = fresh();
  wide[6] = curand_log_normal_double(&s, 0.25, 0.5);
  s = fresh();
  const double2 bothOfLog = curand_log_normal2_double(&s, 0.25, 0.5);
  wide[7] = bothOfLog.x, wide[8] = bothOfLog.y;
  s = fresh();
  counts[0] = curand_poisson(&s, 4.0);
  s = fresh();
  counts[1] = curand_poisson(&s, 400.0);
}

__global__ void xorwow(unsigned long long seed, float* single, double* wide, unsigned* counts) {
  const unsigned i = threadIdx.x;
  draw<curandStateXORWOW_t>(seed + i, 0, single + 9 * i, wide + 9 * i, counts + 2 * i);
}
__global__ void philox(unsigned long long seed, float* single, double* wide, unsigned* counts) {
  const unsigned i = threadIdx.x;
  draw<curandStatePhilox4_32_10_t>(seed, i, single + 9 * i, wide + 9 * i, counts + 2 * i);
}

__global__ void mrg32k3a(unsigned long long seed, float* single, double* wide, unsigned* counts) {
  const unsigned i = threadIdx.x;
  draw<curandStateMRG32k3a_t>(seed + i, 0, single + 9 * i, wide + 9 * i, counts + 2 * i);
}

/// A state keeps one number of a pair, for the next of the same kind, and floats and doubles apart.
__global__ void kept(unsigned long long seed, float* single, double* wide, unsigned* words) {
  const unsigned i = threadIdx.x;
  auto s = begin<curandStatePhilox4_32_10_t>(seed, i);
  float* const f = single + 5 * i;
  double* const d = wide + 5 * i;
  f[0] = curand_normal(&s);
  d[0] = curand_normal_double(&s);
  f[1] = curand_log_normal(&s, 0.25f, 0.5f);
  d[1] = curand_normal_double(&s);
  f[2] = curand_log_normal(&s, 0.25f, 0.5f);
  d[2] = curand_log_normal_double(&s, 0.25, 0.5);
  f[3] = curand_normal(&s);
  d[3] = curand_normal_double(&s);
  f[4] = curand_normal(&s);
  d[4] = curand_uniform_double(&s);
  words[i] = curand(&s);
}

/// Numbers of one word, far from the middle too; pairs by their own names.
__global__ void steps(unsigned long long seed, float* single, double* wide, unsigned* counts) {
  const unsigned i = threadIdx.x;
  const unsigned word = i == 0 ? ~0u : i == 1 ? 0u : i * 0x9e3779b9u;
  const unsigned long long words = static_cast<unsigned long long>(word) << 32 | 0x89abcdefu;
  single[6 * i] = _curand_normal_icdf(word);
  single[6 * i + 1] = _curand_normal_icdf(words);
  wide[6 * i] = _curand_normal_icdf_double(word);
  wide[6 * i + 1] = _curand_normal_icdf_double(words);
  const double means[6] = {0, 0.1, 3, 70, 700, 5000};
  for (int k = 0; k < 6; ++k) counts[8 * i + k] = _curand_poisson(word, means[k]);
  curandStateSobol32_t sobol = {};
  sobol.x = word;
  counts[8 * i + 6] = curand_poisson(&sobol, 4.0);
  curandStateScrambledSobol64_t sobol64 = {};
  sobol64.x = words;
  counts[8 * i + 7] = curand_poisson(&sobol64, 4.0);
  auto s = begin<curandStatePhilox4_32_10_t>(seed, i);
  const float2 pair = curand_box_muller(&s);
  const double2 both = curand_box_muller_double(&s);
  const float4 four = curand_box_muller4(&s);
  const double4 fourWide = curand_box_muller4_double(&s);
  single[6 * i + 2] = pair.x, single[6 * i + 3] = pair.y, single[6 * i + 4] = four.y, single[6 * i + 5] = four.z;
  wide[6 * i + 2] = both.x, wide[6 * i + 3] = both.y, wide[6 * i + 4] = fourWide.y, wide[6 * i + 5] = fourWide.z;
}

/// Four at once are four, one after the other.
__global__ void fours(unsigned long long seed, float* single, double* wide, unsigned* counts) {
  const unsigned i = threadIdx.x;
  const auto fresh = [=] { return begin<curandStatePhilox4_32_10_t>(seed, i); };
  auto s = fresh();
  const float4 uniform = curand_uniform4(&s);
  s = fresh();
  const float4 normal = curand_normal4(&s);
  s = fresh();
  const float4 logNormal = curand_log_normal4(&s, 0.25f, 0.5f);
  s = fresh();
  const double2 uniformDouble = curand_uniform2_double(&s);
  s = fresh();
  const uint4 poisson = curand_poisson4(&s, 4.0);
  const float floats[12] = {uniform.x, uniform.y, uniform.z,   uniform.w,   normal.x,    normal.y,
                            normal.z,  normal.w,  logNormal.x, logNormal.y, logNormal.z, logNormal.w};
  for (int k = 0; k < 12; ++k) single[12 * i + k] = floats[k];
  s = fresh();
  const double4 a = curand_uniform4_double(&s);
  s = fresh();
  const double4 b = curand_normal4_double(&s);
  s = fresh();
  const double4 c = curand_log_normal4_double(&s, 0.25, 0.5);
  const double doubles[14] = {
      uniformDouble.x, uniformDouble.y, a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w};
  for (int k = 0; k < 14; ++k) wide[14 * i + k] = doubles[k];
  counts[4 * i] = poisson.x, counts[4 * i + 1] = poisson.y, counts[4 * i + 2] = poisson.z,
             counts[4 * i + 3] = poisson.w;
}

/// The steps that cuRAND has names for make the numbers of the functions that take them.
__global__ void sameSteps(unsigned long long seed, int* same) {
  const unsigned i = threadIdx.x;
  auto a = begin<curandStatePhilox4_32_10_t>(seed, i), b = a;
  int* const out = same + 6 * i;
  const uint4 words = curand4(&a);
  out[0] = _curand_box_muller_double(words.x, words.y, words.z, words.w).y == curand_box_muller2_double(&b).y;
  out[1] = curand_poisson_knuth(&a, 7.0f) == curand_poisson(&b, 7.0);
  out[2] = curand_poisson_gammainc(&a, 80.0f) == curand_poisson(&b, 80.0);
  auto c = begin<curandStateMRG32k3a_t>(seed, i), d = c;
  out[3] = curand_box_muller_mrg(&c).y == curand_normal2(&d).y;
  out[4] = curand_box_muller_mrg_double(&c).y == curand_normal2_double(&d).y;
  out[5] = curand(&a) == curand(&b) && curand(&c) == curand(&d);
}
