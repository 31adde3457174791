// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SIMD in a word (CUDA Math API, "SIMD Intrinsics"): two halves (…2) or four bytes (…4) of a word, each by itself. s
// and u say signed and unsigned; ss and us saturate.
#ifndef LATHE_CUDA_SIMD_WORDS_H
#define LATHE_CUDA_SIMD_WORDS_H

#include <lathe/cuda/qualifiers.h>

namespace lathe::detail {
LATHE_INLINE int saturated(int x, int least, int most) {
  return x < least ? least : x > most ? most : x;
}
}  // namespace lathe::detail

// In `expression`, x and y are the lanes' numbers, least and most what a lane can hold.
#define LATHE_CUDA_LANES(name, bits, lane, expression)                                                            \
  LATHE_INLINE unsigned name(unsigned a, unsigned b) {                                                            \
    [[maybe_unused]] constexpr int least = static_cast<lane>(-1) < static_cast<lane>(0) ? -(1 << (bits - 1)) : 0; \
    [[maybe_unused]] constexpr int most = least ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;                        \
    unsigned out = 0;                                                                                             \
    for (int i = 0; i < 32; i += bits) {                                                                          \
      [[maybe_unused]] const int x = static_cast<lane>(a >> i), y = static_cast<lane>(b >> i);                    \
      out |= (static_cast<unsigned>(expression) & ((1u << bits) - 1)) << i;                                       \
    }                                                                                                             \
    return out;                                                                                                   \
  }
#define LATHE_CUDA_LANES_OF_ONE(name, bits, lane, expression) \
  LATHE_CUDA_LANES(lathe_##name, bits, lane, expression)      \
  LATHE_INLINE unsigned name(unsigned a) {                    \
    return lathe_##name(a, 0);                                \
  }
#define LATHE_CUDA_LANES_ANY(name, e)              \
  LATHE_CUDA_LANES(name##2, 16, unsigned short, e) \
  LATHE_CUDA_LANES(name##4, 8, unsigned char, e)
#define LATHE_CUDA_LANES_SIGNED(name, e)  \
  LATHE_CUDA_LANES(name##2, 16, short, e) \
  LATHE_CUDA_LANES(name##4, 8, signed char, e)
#define LATHE_CUDA_LANES_BOTH(name, e)     \
  LATHE_CUDA_LANES_SIGNED(__v##name##s, e) \
  LATHE_CUDA_LANES_ANY(__v##name##u, e)
// A comparison gives all ones (cmp) or one (set).
#define LATHE_CUDA_LANES_COMPARE(name, e)      \
  LATHE_CUDA_LANES_BOTH(cmp##name, e ? -1 : 0) \
  LATHE_CUDA_LANES_BOTH(set##name, e ? 1 : 0)
LATHE_CUDA_LANES_ANY(__vadd, x + y)
LATHE_CUDA_LANES_ANY(__vsub, x - y)
LATHE_CUDA_LANES_ANY(__vcmpeq, x == y ? -1 : 0)
LATHE_CUDA_LANES_ANY(__vcmpne, x != y ? -1 : 0)
LATHE_CUDA_LANES_ANY(__vseteq, x == y ? 1 : 0)
LATHE_CUDA_LANES_ANY(__vsetne, x != y ? 1 : 0)
LATHE_CUDA_LANES_ANY(__vaddus, lathe::detail::saturated(x + y, least, most))
LATHE_CUDA_LANES_ANY(__vsubus, lathe::detail::saturated(x - y, least, most))
LATHE_CUDA_LANES_ANY(__vavgu, (x + y + 1) >> 1)
LATHE_CUDA_LANES_ANY(__vhaddu, (x + y) >> 1)
LATHE_CUDA_LANES_SIGNED(__vaddss, lathe::detail::saturated(x + y, least, most))
LATHE_CUDA_LANES_SIGNED(__vsubss, lathe::detail::saturated(x - y, least, most))
LATHE_CUDA_LANES_SIGNED(__vavgs, (x + y + (x + y >= 0)) >> 1)
LATHE_CUDA_LANES_BOTH(max, x > y ? x : y)
LATHE_CUDA_LANES_BOTH(min, x < y ? x : y)
LATHE_CUDA_LANES_COMPARE(gt, x > y)
LATHE_CUDA_LANES_COMPARE(ge, x >= y)
LATHE_CUDA_LANES_COMPARE(lt, x < y)
LATHE_CUDA_LANES_COMPARE(le, x <= y)
LATHE_CUDA_LANES_BOTH(absdiff, x > y ? x - y : y - x)
LATHE_CUDA_LANES_OF_ONE(__vabs2, 16, short, x < 0 ? -x : x)
LATHE_CUDA_LANES_OF_ONE(__vabs4, 8, signed char, x < 0 ? -x : x)
LATHE_CUDA_LANES_OF_ONE(__vneg2, 16, short, -x)
LATHE_CUDA_LANES_OF_ONE(__vneg4, 8, signed char, -x)
LATHE_CUDA_LANES_OF_ONE(__vabsss2, 16, short, lathe::detail::saturated(x < 0 ? -x : x, least, most))
LATHE_CUDA_LANES_OF_ONE(__vabsss4, 8, signed char, lathe::detail::saturated(x < 0 ? -x : x, least, most))
LATHE_CUDA_LANES_OF_ONE(__vnegss2, 16, short, lathe::detail::saturated(-x, least, most))
LATHE_CUDA_LANES_OF_ONE(__vnegss4, 8, signed char, lathe::detail::saturated(-x, least, most))

// Sums of the absolute differences of all lanes.
#define LATHE_CUDA_LANES_SUM(name, bits, lane)                                \
  LATHE_INLINE unsigned name(unsigned a, unsigned b) {                        \
    unsigned out = 0;                                                         \
    for (int i = 0; i < 32; i += bits) {                                      \
      const int x = static_cast<lane>(a >> i), y = static_cast<lane>(b >> i); \
      out += static_cast<unsigned>(x > y ? x - y : y - x);                    \
    }                                                                         \
    return out;                                                               \
  }
LATHE_CUDA_LANES_SUM(__vsads2, 16, short)
LATHE_CUDA_LANES_SUM(__vsads4, 8, signed char)
LATHE_CUDA_LANES_SUM(__vsadu2, 16, unsigned short)
LATHE_CUDA_LANES_SUM(__vsadu4, 8, unsigned char)
#undef LATHE_CUDA_LANES_SUM
#undef LATHE_CUDA_LANES_COMPARE
#undef LATHE_CUDA_LANES_BOTH
#undef LATHE_CUDA_LANES_SIGNED
#undef LATHE_CUDA_LANES_ANY
#undef LATHE_CUDA_LANES_OF_ONE
#undef LATHE_CUDA_LANES

#endif
