// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies, prices and random numbers.
#include "../reference/reference.h"
#include "cases.h"

namespace lathe::bench {
namespace {

constexpr CpuCase cases[] = {
    {"nbodyStep",
     R"(
KERNEL nbodyStep(unsigned n, IN bodies, OUT forces) {
  SHARED float xs[256], ys[256], zs[256], ms[256];
  const unsigned x = X, i = GROUP * 256 + x;
  const float px = bodies[i], py = bodies[n + i], pz = bodies[2 * n + i];
  float fx = 0, fy = 0, fz = 0;
  for (unsigned tile = 0; tile < n; tile += 256) {
    xs[x] = bodies[tile + x];
    ys[x] = bodies[n + tile + x];
    zs[x] = bodies[2 * n + tile + x];
    ms[x] = bodies[3 * n + tile + x];
    BARRIER;
    for (unsigned k = 0; k < 256; ++k) {
      const float dx = xs[k] - px, dy = ys[k] - py, dz = zs[k] - pz;
      const float square = dx * dx + dy * dy + dz * dz + 0.01f;
      const float inverse = 1.0f / sqrtf(square), pull = ms[k] * inverse * inverse * inverse;
      fx += pull * dx;
      fy += pull * dy;
      fz += pull * dz;
    }
    BARRIER;
  }
  forces[i] = fx;
  forces[n + i] = fy;
  forces[2 * n + i] = fz;
}
)",
     {1024, 2048, 8192},
     [](unsigned n, unsigned) { return lines(n, {4 * n, 3 * n}, {value(n), buffer(0), buffer(1)}, 1e-3); }},
    {"blackScholes",
     R"(
KERNEL blackScholes(unsigned n, IN a, IN b, OUT out) {
  const unsigned i = GROUP * 256 + X;
  if (i >= n) return;
  const float price = 60.0f + 50.0f * a[i], strike = 60.0f + 50.0f * b[i], years = 2.0f, rate = 0.02f, spread = 0.3f;
  const float root = spread * sqrtf(years);
  const float d1 = (logf(price / strike) + (rate + 0.5f * spread * spread) * years) / root, d2 = d1 - root;
  const float n1 = 0.5f * erfcf(-0.70710678f * d1), n2 = 0.5f * erfcf(-0.70710678f * d2);
  out[i] = price * n1 - strike * expf(-rate * years) * n2;
}
)",
     {1u << 16, 1u << 20, 1u << 22},
     [](unsigned n, unsigned) { return lines(n, {n, n, n}, {value(n), buffer(0), buffer(1), buffer(2)}, 1e-4); }},
    {"optionPaths",
     R"(
KERNEL optionPaths(unsigned steps, IN seeds, OUT out) {
  const unsigned i = GROUP * 256 + X;
  unsigned state = BITS(seeds[i]) | 1u;
  float price = 100.0f;
  for (unsigned step = 0; step < steps; ++step) {
    state = state * 1664525u + 1013904223u;
    const float a = ((float)(state >> 8) + 1.0f) / 16777216.0f;
    state = state * 1664525u + 1013904223u;
    const float b = (float)(state >> 8) / 16777216.0f;
    const float normal = sqrtf(-2.0f * logf(a)) * cosf(6.2831853f * b);
    price *= expf(0.0004f + 0.02f * normal);
  }
  out[i] = fmaxf(price - 100.0f, 0.0f);
}
)",
     {1u << 12, 1u << 15, 1u << 18},
     [](unsigned n, unsigned) { return lines(n, {n, n}, {value(pathSteps), buffer(0), buffer(1)}, 1e-2); }},
    // A point on the circle may be inside or outside, by rounding.
    {"insideCircle",
     R"(
KERNEL insideCircle(unsigned samples, IN seeds, OUT out) {
  const unsigned i = GROUP * 256 + X;
  unsigned state = BITS(seeds[i]) | 1u, inside = 0;
  for (unsigned sample = 0; sample < samples; ++sample) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    const float x = (float)(state & 0xffffu) / 65536.0f, y = (float)(state >> 16) / 65536.0f;
    if (x * x + y * y < 1.0f) ++inside;
  }
  out[i] = (float)inside;
}
)",
     {1u << 14, 1u << 17, 1u << 20},
     [](unsigned n, unsigned) { return total(lines(n, {n, n}, {value(circleSamples), buffer(0), buffer(1)}, 1e-4)); }},
};

}  // namespace

std::span<const CpuCase> simulateCases() {
  return cases;
}

}  // namespace lathe::bench
