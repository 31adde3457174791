// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MRG32k3a, L'Ecuyer's combined generator ("Good parameters and implementations for combined multiple recursive random
// number generators", 1999), with cuRAND's seeds, subsequences of 2^76 numbers and sequences of 2^127 (L'Ecuyer,
// Simard, Chen and Kelton, "An object-oriented random-number package with many long streams and substreams", 2002). n
// steps of a component are the remainder of z^n by its characteristic polynomial, applied to consecutive numbers.
#ifndef LATHE_CUDA_RANDOM_MRG32K3A_H
#define LATHE_CUDA_RANDOM_MRG32K3A_H

#include <lathe/cuda/prelude.h>

struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

namespace lathe::detail {

/// One of the two components: x[n] = a1 x[n-1] + a2 x[n-2] + a3 x[n-3] modulo 2^32 - gap.
template <unsigned gap, unsigned a1, unsigned a2, unsigned a3>
struct Recurrence {
  using Word = unsigned long long;
  static constexpr unsigned modulus = 0u - gap;

  LATHE_INLINE static unsigned remainder(Word x) {
    x = (x >> 32) * gap + static_cast<unsigned>(x);  // below 2^48
    x = (x >> 32) * gap + static_cast<unsigned>(x);  // below 2 modulus
    return static_cast<unsigned>(x >= modulus ? x - modulus : x);
  }
  LATHE_INLINE static unsigned product(Word a, Word b) { return remainder(a * b); }
  LATHE_INLINE static unsigned sum(Word a, Word b, Word c) { return remainder(a + b + c); }
  /// The number behind three, the first oldest.
  LATHE_INLINE static unsigned next(unsigned x, unsigned y, unsigned z) {
    return sum(product(a3, x), product(a2, y), product(a1, z));
  }

  /// A polynomial of at most the second degree, the constant first.
  struct Polynomial {
    unsigned c0, c1, c2;
    LATHE_INLINE Polynomial squared() const {
      const Word z3 = product(sum(c1, c1, 0), c2), z4 = product(c2, c2);
      // z^4 = z z^3, and z^3 = a1 z^2 + a2 z + a3.
      const Word cubes = sum(z3, product(z4, a1), 0);
      return {sum(product(c0, c0), product(cubes, a3), 0),
              sum(2ull * product(c0, c1), product(cubes, a2), product(z4, a3)),
              sum(2ull * product(c0, c2) + product(c1, c1), product(cubes, a1), product(z4, a2))};
    }
  };
  /// Goes on by n times the steps that `power` is for.
  LATHE_INLINE static void jump(unsigned (&s)[3], Word n, Polynomial power) {
    for (; n != 0; n >>= 1, power = power.squared()) {
      if ((n & 1) == 0) continue;
      const unsigned x3 = next(s[0], s[1], s[2]), x4 = next(s[1], s[2], x3);
      const auto applied = [&](unsigned x, unsigned y, unsigned z) {
        return sum(product(power.c0, x), product(power.c1, y), product(power.c2, z));
      };
      const unsigned y0 = applied(s[0], s[1], s[2]), y1 = applied(s[1], s[2], x3);
      s[2] = applied(s[2], x3, x4);
      s[1] = y1;
      s[0] = y0;
    }
  }
  LATHE_INLINE static unsigned step(unsigned (&s)[3]) {
    const unsigned out = next(s[0], s[1], s[2]);
    s[0] = s[1];
    s[1] = s[2];
    return s[2] = out;
  }
};
using MrgFirst = Recurrence<209, 0, 1403580, 4294967087u - 810728>;
using MrgSecond = Recurrence<22853, 527612, 0, 4294944443u - 1370589>;

}  // namespace lathe::detail

LATHE_INLINE void skipahead(unsigned long long n, curandStateMRG32k3a* s) {
  lathe::detail::MrgFirst::jump(s->s1, n, {0, 1, 0});
  lathe::detail::MrgSecond::jump(s->s2, n, {0, 1, 0});
}
LATHE_INLINE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* s) {
  lathe::detail::MrgFirst::jump(s->s1, n, {82758667u, 1871391091u, 4127413238u});
  lathe::detail::MrgSecond::jump(s->s2, n, {1511326704u, 3759209742u, 1610795712u});
}
LATHE_INLINE void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* s) {
  lathe::detail::MrgFirst::jump(s->s1, n, {2427906178u, 3580155704u, 949770784u});
  lathe::detail::MrgSecond::jump(s->s2, n, {1464411153u, 277697599u, 1610723613u});
}
LATHE_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                              curandStateMRG32k3a* s) {
  *s = {};
  // Seed 0 leaves the numbers of the generator's publication.
  const unsigned low = static_cast<unsigned>(seed) ^ 0x55555555u;
  const unsigned high = static_cast<unsigned>(seed >> 32) ^ 0xaaaaaaaau;
  for (unsigned i = 0; i < 3; ++i) {
    const bool odd = i == 1;
    s->s1[i] = seed == 0 ? 12345 : lathe::detail::MrgFirst::product(odd ? high : low, 12345);
    s->s2[i] = seed == 0 ? 12345 : lathe::detail::MrgSecond::product(odd ? low : high, 12345);
  }
  skipahead_subsequence(subsequence, s);
  skipahead(offset, s);
}

/// A whole number from 1 to 2^32 - 209.
LATHE_INLINE double curand_MRG32k3a(curandStateMRG32k3a* s) {
  const unsigned first = lathe::detail::MrgFirst::step(s->s1), second = lathe::detail::MrgSecond::step(s->s2);
  return static_cast<double>(first > second ? first - second : first + lathe::detail::MrgFirst::modulus - second);
}
/// The same, spread over 32 bits.
LATHE_INLINE unsigned curand(curandStateMRG32k3a* s) {
  return __double2uint_rz(curand_MRG32k3a(s) * 1.000000048662);
}

#endif
