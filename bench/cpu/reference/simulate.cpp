// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies, prices and random numbers by hand. What a group does in shared memory is done in a block of the same size
// that stays in the first-level cache.
#include <math.h>

#include "reference.h"

namespace lathe::bench {
namespace {

void nbodyStep(unsigned n, float* const* memory) {
  const float* __restrict__ const bodies = memory[0];
  float* __restrict__ const forces = memory[1];
#pragma omp parallel for schedule(static)
  for (unsigned i = 0; i < n; ++i) {
    const float px = bodies[i], py = bodies[n + i], pz = bodies[2 * n + i];
    float fx = 0, fy = 0, fz = 0;
#pragma omp simd reduction(+ : fx, fy, fz)
    for (unsigned k = 0; k < n; ++k) {
      const float dx = bodies[k] - px, dy = bodies[n + k] - py, dz = bodies[2 * n + k] - pz;
      const float square = dx * dx + dy * dy + dz * dz + 0.01f;
      const float inverse = 1.0f / sqrtf(square), pull = bodies[3 * n + k] * inverse * inverse * inverse;
      fx += pull * dx;
      fy += pull * dy;
      fz += pull * dz;
    }
    forces[i] = fx;
    forces[n + i] = fy;
    forces[2 * n + i] = fz;
  }
}

void blackScholes(unsigned n, float* const* memory) {
  const float* __restrict__ const a = memory[0];
  const float* __restrict__ const b = memory[1];
  float* __restrict__ const out = memory[2];
#pragma omp parallel for simd schedule(static)
  for (unsigned i = 0; i < n; ++i) {
    const float price = 60.0f + 50.0f * a[i], strike = 60.0f + 50.0f * b[i], years = 2.0f, rate = 0.02f, spread = 0.3f;
    const float root = spread * sqrtf(years);
    const float d1 = (logf(price / strike) + (rate + 0.5f * spread * spread) * years) / root, d2 = d1 - root;
    const float n1 = 0.5f * erfcf(-0.70710678f * d1), n2 = 0.5f * erfcf(-0.70710678f * d2);
    out[i] = price * n1 - strike * expf(-rate * years) * n2;
  }
}

void optionPaths(unsigned n, float* const* memory) {
  const float* __restrict__ const seeds = memory[0];
  float* __restrict__ const out = memory[1];
#pragma omp parallel for simd schedule(static)
  for (unsigned i = 0; i < n; ++i) {
    unsigned state = __builtin_bit_cast(unsigned, seeds[i]) | 1u;
    float price = 100.0f;
    for (unsigned step = 0; step < pathSteps; ++step) {
      state = state * 1664525u + 1013904223u;
      const float a = (float(state >> 8) + 1.0f) / 16777216.0f;
      state = state * 1664525u + 1013904223u;
      const float b = float(state >> 8) / 16777216.0f;
      const float normal = sqrtf(-2.0f * logf(a)) * cosf(6.2831853f * b);
      price *= expf(0.0004f + 0.02f * normal);
    }
    out[i] = price > 100.0f ? price - 100.0f : 0.0f;
  }
}

void insideCircle(unsigned n, float* const* memory) {
  const float* __restrict__ const seeds = memory[0];
  float* __restrict__ const out = memory[1];
#pragma omp parallel for simd schedule(static)
  for (unsigned i = 0; i < n; ++i) {
    unsigned state = __builtin_bit_cast(unsigned, seeds[i]) | 1u, inside = 0;
    for (unsigned sample = 0; sample < circleSamples; ++sample) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      const float x = float(state & 0xffffu) / 65536.0f, y = float(state >> 16) / 65536.0f;
      inside += x * x + y * y < 1.0f ? 1u : 0u;
    }
    out[i] = float(inside);
  }
}

}  // namespace

LATHE_BENCH_KERNELS(simulate) = {{"nbodyStep", nbodyStep},
                                 {"blackScholes", blackScholes},
                                 {"optionPaths", optionPaths},
                                 {"insideCircle", insideCircle},
                                 {}};

}  // namespace lathe::bench
