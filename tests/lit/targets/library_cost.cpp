// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that use the C++ library are as small as what one would write in C: instructions, at most 1.05 times as many.
//
// REQUIRES: libcxx
// RUN: %compile %s -t cuda:sm_80 -O 3 --emit asm -o %t.ptx && %python %S/../Inputs/count_instructions.py %t.ptx 5
// RUN: %compile %s -t object:x86-64-v3 -O 3 --emit asm -o %t.x86.s && %python %S/../Inputs/count_instructions.py %t.x86.s 5
// RUN: %compile %s -t aarch64 -O 3 --emit asm -o %t.arm.s && %python %S/../Inputs/count_instructions.py %t.arm.s 5
// RUN: %compile %s -t amdgpu -O 3 --emit asm -o %t.amd.s && %python %S/../Inputs/count_instructions.py %t.amd.s 5
#include <lathe/device.h>
#include <algorithm>
#include <array>
#include <complex>
#include <optional>
#include <span>
#include <tuple>
#include <numeric>

// A few numbers, sorted.
LATHE_KERNEL void sort_library(float* p) {
  float* const own = p + 8 * lathe::global_id().x;
  std::array<float, 8> x;
  for (int i = 0; i < 8; ++i) x[i] = own[i];
  std::sort(x.begin(), x.end());
  for (int i = 0; i < 8; ++i) own[i] = x[i];
}
LATHE_KERNEL void sort_by_hand(float* p) {
  float* const own = p + 8 * lathe::global_id().x;
  float x[8];
  for (int i = 0; i < 8; ++i) x[i] = own[i];
  for (int i = 1; i < 8; ++i) {
    const float v = x[i];
    int j = i;
    for (; j > 0 && v < x[j - 1]; --j) x[j] = x[j - 1];
    x[j] = v;
  }
  for (int i = 0; i < 8; ++i) own[i] = x[i];
}
LATHE_KERNEL void tuple_library(float* out, const float* in, unsigned n) {
  const unsigned i = lathe::global_id().x;
  if (i >= n) return;
  std::tuple<float, float, int> best{in[i], 0.0f, -1};
  for (unsigned k = 0; k < n; ++k) {
    const auto candidate = std::make_tuple(in[k] * in[i], in[k], static_cast<int>(k));
    if (std::get<0>(best) < std::get<0>(candidate)) best = candidate;
  }
  const auto [value, other, at] = best;
  out[i] = value + other + static_cast<float>(at);
}
struct Best { float value, other; int at; };
LATHE_KERNEL void tuple_by_hand(float* out, const float* in, unsigned n) {
  const unsigned i = lathe::global_id().x;
  if (i >= n) return;
  struct Best best = {in[i], 0.0f, -1};
  for (unsigned k = 0; k < n; ++k) {
    const struct Best candidate = {in[k] * in[i], in[k], (int)k};
    if (best.value < candidate.value) best = candidate;
  }
  out[i] = best.value + best.other + (float)best.at;
}
static std::optional<float> root(float x) { if (x < 0) return std::nullopt; return std::sqrt(x); }
LATHE_KERNEL void optional_library(float* p, unsigned n) {
  const unsigned i = lathe::global_id().x;
  if (i >= n) return;
  if (const auto r = root(p[i])) p[i] = *r; else p[i] = root(-p[i]).value_or(1) * -1;
}
static bool rootOf(float x, float* out) { if (x < 0) return false; *out = sqrtf(x); return true; }
LATHE_KERNEL void optional_by_hand(float* p, unsigned n) {
  const unsigned i = lathe::global_id().x;
  if (i >= n) return;
  float r;
  if (rootOf(p[i], &r)) p[i] = r; else { if (!rootOf(-p[i], &r)) r = 1; p[i] = r * -1; }
}
LATHE_KERNEL void span_library(float* out, const float* in, unsigned n) {
  const std::span<const float> all(in, n);
  const unsigned i = lathe::global_id().x;
  if (i + 4 > n) return;
  const auto window = all.subspan(i, 4);
  out[i] = std::accumulate(window.begin(), window.end(), 0.0f) * window.front();
}
LATHE_KERNEL void span_by_hand(float* out, const float* in, unsigned n) {
  const unsigned i = lathe::global_id().x;
  if (i + 4 > n) return;
  const float* const window = in + i;
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += window[k];
  out[i] = sum * window[0];
}
LATHE_KERNEL void complex_library(float* out, const float* c, unsigned turns) {
  const unsigned i = lathe::global_id().x;
  const std::complex<float> start(c[2 * i], c[2 * i + 1]);
  std::complex<float> z = 0;
  for (unsigned k = 0; k < turns; ++k) z = z * z + std::conj(start) / 2.0f;
  z /= start;
  out[2 * i] = z.real();
  out[2 * i + 1] = z.imag();
}
LATHE_KERNEL void complex_by_hand(float* out, const float* c, unsigned turns) {
  const unsigned i = lathe::global_id().x;
  const float sx = c[2 * i], sy = c[2 * i + 1];
  float x = 0, y = 0;
  for (unsigned k = 0; k < turns; ++k) {
    const float t = x * x - y * y + sx / 2;
    y = x * y + y * x - sy / 2;
    x = t;
  }
  const float d = sx * sx + sy * sy;
  out[2 * i] = (x * sx + y * sy) / d;
  out[2 * i + 1] = (y * sx - x * sy) / d;
}
