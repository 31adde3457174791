// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that Lathe and Clang compile from one text, under two names: FUNCTION(name) is lathe_name or clang_name.
#pragma once

FUNCTION(float, dot)(const float* a, const float* b, unsigned n) {
  float sum = 0;
  for (unsigned i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

FUNCTION(void, axpy)(float* __restrict__ y, const float* __restrict__ x, float a, unsigned n) {
  for (unsigned i = 0; i < n; ++i) y[i] += a * x[i];
}

FUNCTION(unsigned, checksum)(const unsigned* data, unsigned n) {
  unsigned low = 1, high = 0;
  for (unsigned i = 0; i < n; ++i) {
    low = (low + (data[i] & 0xffu)) % 65521u;
    high = (high + low) % 65521u;
  }
  return high << 16u | low;
}

FUNCTION(unsigned, hash)(const unsigned* data, unsigned n) {
  unsigned out = 2166136261u;
  for (unsigned i = 0; i < n; ++i) out = (out ^ data[i]) * 16777619u;
  return out;
}

FUNCTION(void, prefix)(const float* __restrict__ in, float* __restrict__ out, unsigned n) {
  float sum = 0;
  for (unsigned i = 0; i < n; ++i) out[i] = sum += in[i];
}

FUNCTION(void, stencil)(const float* __restrict__ in, float* __restrict__ out, unsigned n) {
  for (unsigned i = 1; i + 1 < n; ++i) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

FUNCTION(void, multiply)(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, unsigned n) {
  for (unsigned i = 0; i < n; ++i) {
    for (unsigned j = 0; j < n; ++j) c[i * n + j] = 0;
    for (unsigned k = 0; k < n; ++k) {
      for (unsigned j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
}

FUNCTION(unsigned, search)(const unsigned* sorted, unsigned n, unsigned key) {
  unsigned first = 0, count = n;
  while (count > 0) {
    const unsigned half = count / 2;
    if (sorted[first + half] < key) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

FUNCTION(void, sort)(unsigned* data, unsigned n) {
  for (unsigned i = 1; i < n; ++i) {
    const unsigned value = data[i];
    unsigned at = i;
    for (; at > 0 && data[at - 1] > value; --at) data[at] = data[at - 1];
    data[at] = value;
  }
}

FUNCTION(unsigned, collatz)(unsigned start) {
  unsigned steps = 0;
  for (unsigned long long at = start; at != 1; ++steps) at = at % 2 == 0 ? at / 2 : 3 * at + 1;
  return steps;
}

FUNCTION(float, horner)(const float* coefficients, unsigned n, float x) {
  float out = 0;
  for (unsigned i = 0; i < n; ++i) out = out * x + coefficients[i];
  return out;
}

FUNCTION(void, histogram)(const unsigned* data, unsigned n, unsigned* bins) {
  for (unsigned i = 0; i < n; ++i) ++bins[data[i] & 255u];
}
