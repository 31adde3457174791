// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels compute, in C++ that the device's and the host's compiler take.
#pragma once

struct Settings {
  unsigned count;
  double unused;
  int weights[3];
};
struct Pair {
  int first;
  short second;
  unsigned char third;
};

inline int integerMix(int x, int y) {
  const int divisor = y == 0 ? 7 : y;
  const unsigned shift = static_cast<unsigned>(y) & 31U;
  int out = x / (divisor == -1 ? 3 : divisor) + x % (divisor == -1 ? 5 : divisor);
  out ^= (x >> shift) + static_cast<int>(static_cast<unsigned>(x) << shift);
  out += __builtin_popcount(static_cast<unsigned>(x)) - (x < y) + (static_cast<unsigned>(x) < static_cast<unsigned>(y));
  return out + (x > 0 ? __builtin_clz(static_cast<unsigned>(x)) : 40);
}

inline short narrowMix(short x, unsigned char y) {
  return static_cast<short>(x * y + (x >> 3) - static_cast<signed char>(y));
}
inline long wideMix(short x, unsigned char y) {
  return static_cast<long>(x) * 3000000007L + (static_cast<long>(y) << 33) / (x == 0 ? 1 : x);
}

inline int branchMix(const int* x, unsigned n, unsigned from) {
  int out = 0;
  for (unsigned i = from; i < n; ++i) {
    if (x[i] < -90) return out;
    if (x[i] > 95) break;
    switch (x[i] & 7) {
      case 1:
        out += x[i];
        break;
      case 2:
        out ^= 3;
        [[fallthrough]];
      case 5:
        out = static_cast<int>(static_cast<unsigned>(out) * 5U);
        continue;
      default:
        for (int k = x[i]; k > 0; k /= 3) {
          if (k % 4 == 3) break;
          ++out;
        }
    }
    out -= 1;
  }
  return out * 2;
}

inline float floatMix(float x, float y) {
  float out = __builtin_floorf(x) + __builtin_fabsf(y) / 3.0f;
  if (!(x <= y)) out = __builtin_sqrtf(x * x) - out;
  out += x == y ? 1.0f : x != x ? 0.5f : static_cast<float>(static_cast<int>(y)) * 0.25f;
  return out + static_cast<float>(static_cast<unsigned char>(static_cast<int>(x) & 127));
}

inline Pair settle(const Settings& settings, Pair pair) {
  Pair out = pair;
  out.first = pair.first * settings.weights[pair.third % 3];
  out.second = static_cast<short>(pair.second + settings.weights[0]);
  return out;
}
