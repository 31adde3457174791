// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SIMD in a word (CUDA Math API, "SIMD Intrinsics"): two halves (…2) or four bytes (…4) of a word, each by itself. s
// and u say signed and unsigned; ss and us saturate. The lanes are computed together: their highest bits apart, so that
// no carry crosses from one lane to the next (Warren, "Hacker's Delight", 2-18).
#ifndef LATHE_CUDA_SIMD_WORDS_H
#define LATHE_CUDA_SIMD_WORDS_H

#include <lathe/cuda/qualifiers.h>

namespace lathe::detail {
/// Lanes whose highest bit is set become all ones, the others zero.
LATHE_INLINE unsigned spread4(unsigned x) {
  if (__lathe_target_is("cuda")) return static_cast<unsigned>(__nvvm_prmt(x, 0, 0xba98));
  return (x >> 7 & 0x01010101) * 0xff;
}
LATHE_INLINE unsigned spread2(unsigned x) {
  if (__lathe_target_is("cuda")) return static_cast<unsigned>(__nvvm_prmt(x, 0, 0xbb99));
  return (x >> 15 & 0x00010001) * 0xffff;
}
/// Of each bit, what two of three have.
LATHE_INLINE unsigned majority(unsigned x, unsigned y, unsigned z) {
  return (x & y) | (z & (x | y));
}
}  // namespace lathe::detail

/// The sum of |a - b| of the bytes.
LATHE_INLINE unsigned __vsadu4(unsigned a, unsigned b) {
  if (__lathe_target_is("cuda")) {
    unsigned out;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(out) : "r"(a), "r"(b), "r"(0));
    return out;
  }
  unsigned out = 0;
  for (int i = 0; i < 32; i += 8) {
    const unsigned x = a >> i & 0xff, y = b >> i & 0xff;
    out += x > y ? x - y : y - x;
  }
  return out;
}
LATHE_INLINE unsigned __vsads4(unsigned a, unsigned b) {
  return __vsadu4(a ^ 0x80808080, b ^ 0x80808080);
}

// `n` is 2 or 4, `tops` the lanes' highest bits, `ones` their lowest, `shift` between the two.
#define LATHE_CUDA_LANES_WORD(n, name, ...)               \
  LATHE_INLINE unsigned name##n(unsigned a, unsigned b) { \
    __VA_ARGS__                                           \
  }
#define LATHE_CUDA_LANES(n, tops, ones, shift, add, sub)                                                         \
  LATHE_CUDA_LANES_WORD(n, __vadd, add return ((a & ~tops) + (b & ~tops)) ^ ((a ^ b) & tops);)                   \
  LATHE_CUDA_LANES_WORD(n, __vsub, sub return ((a | tops) - (b & ~tops)) ^ ((a ^ ~b) & tops);)                   \
  /* In the highest bits: whether a is above b, or not below. */                                                 \
  LATHE_INLINE unsigned lathe_vgtu##n(unsigned a, unsigned b) {                                                  \
    return lathe::detail::majority(a, ~b, (a & ~tops) + (~b & ~tops));                                           \
  }                                                                                                              \
  LATHE_INLINE unsigned lathe_vgeu##n(unsigned a, unsigned b) {                                                  \
    return lathe::detail::majority(a, ~b, (a & ~tops) + (~b & ~tops) + ones);                                    \
  }                                                                                                              \
  LATHE_INLINE unsigned lathe_vgts##n(unsigned a, unsigned b) {                                                  \
    return lathe::detail::majority(~a, b, (a & ~tops) + (~b & ~tops));                                           \
  }                                                                                                              \
  LATHE_INLINE unsigned lathe_vges##n(unsigned a, unsigned b) {                                                  \
    return lathe::detail::majority(~a, b, (a & ~tops) + (~b & ~tops) + ones);                                    \
  }                                                                                                              \
  LATHE_INLINE unsigned lathe_vne##n(unsigned a, unsigned b) {                                                   \
    const unsigned differ = a ^ b;                                                                               \
    return ((differ & ~tops) + ~tops) | differ;                                                                  \
  }                                                                                                              \
  LATHE_CUDA_LANES_COMPARE(n, shift, ones, ne, lathe_vne##n(a, b))                                               \
  LATHE_CUDA_LANES_COMPARE(n, shift, ones, eq, ~lathe_vne##n(a, b))                                              \
  LATHE_CUDA_LANES_ORDERED(n, shift, ones, u)                                                                    \
  LATHE_CUDA_LANES_ORDERED(n, shift, ones, s)                                                                    \
  LATHE_CUDA_LANES_WORD(n, __vavgu, return (a | b) - (((a ^ b) & ~ones) >> 1);)                                  \
  LATHE_CUDA_LANES_WORD(n, __vhaddu, return (a & b) + (((a ^ b) & ~ones) >> 1);)                                 \
  /* Halves are rounded away from zero: up where the sum is not below zero, which its half's sign says. */       \
  LATHE_CUDA_LANES_WORD(n, __vavgs, const unsigned down = __vhaddu##n(a ^ tops, b ^ tops) ^ tops;                \
                        return down + ((a ^ b) & ~(down >> shift) & ones);)                                      \
  LATHE_CUDA_LANES_WORD(n, __vaddus, const unsigned sum = __vadd##n(a, b);                                       \
                        return sum | lathe::detail::spread##n(lathe::detail::majority(a, b, ~sum));)             \
  /* The highest bit of `partial` is clear where the others borrow from it. */                                   \
  LATHE_CUDA_LANES_WORD(                                                                                         \
      n, __vsubus, const unsigned partial = (a | tops) - (b & ~tops);                                            \
      return (partial ^ ((a ^ ~b) & tops)) & lathe::detail::spread##n(lathe::detail::majority(a, ~b, partial));) \
  LATHE_CUDA_LANES_WORD(n, __vaddss, const unsigned sum = __vadd##n(a, b);                                       \
                        return lathe_vbeyond##n(sum, ~(a ^ b) & (a ^ sum), a);)                                  \
  LATHE_CUDA_LANES_WORD(n, __vsubss, const unsigned difference = __vsub##n(a, b);                                \
                        return lathe_vbeyond##n(difference, (a ^ b) & (a ^ difference), a);)                     \
  LATHE_INLINE unsigned __vneg##n(unsigned a) {                                                                  \
    return __vadd##n(~a, ones);                                                                                  \
  }                                                                                                              \
  LATHE_INLINE unsigned __vabsss##n(unsigned a) {                                                                \
    const unsigned size = __vabs##n(a);                                                                          \
    return size - (size >> shift & ones);                                                                        \
  }                                                                                                              \
  LATHE_INLINE unsigned __vnegss##n(unsigned a) {                                                                \
    const unsigned negative = __vneg##n(a);                                                                      \
    return negative - ((a & negative) >> shift & ones);                                                          \
  }
// A comparison gives all ones (cmp) or one (set).
#define LATHE_CUDA_LANES_COMPARE(n, shift, ones, name, e)                     \
  LATHE_CUDA_LANES_WORD(n, __vcmp##name, return lathe::detail::spread##n(e);) \
  LATHE_CUDA_LANES_WORD(n, __vset##name, return (e) >> shift & ones;)
#define LATHE_CUDA_LANES_ORDERED(n, shift, ones, sign)                         \
  LATHE_CUDA_LANES_COMPARE(n, shift, ones, gt##sign, lathe_vgt##sign##n(a, b)) \
  LATHE_CUDA_LANES_COMPARE(n, shift, ones, ge##sign, lathe_vge##sign##n(a, b)) \
  LATHE_CUDA_LANES_COMPARE(n, shift, ones, lt##sign, lathe_vgt##sign##n(b, a)) \
  LATHE_CUDA_LANES_COMPARE(n, shift, ones, le##sign, lathe_vge##sign##n(b, a))

/// `x`, but where the highest bit of `beyond` is set, the number furthest from zero with the sign of `a`.
LATHE_INLINE unsigned lathe_vbeyond4(unsigned x, unsigned beyond, unsigned a) {
  const unsigned changed = lathe::detail::spread4(beyond);
  return (x & ~changed) | ((lathe::detail::spread4(a) ^ 0x7f7f7f7f) & changed);
}
LATHE_INLINE unsigned lathe_vbeyond2(unsigned x, unsigned beyond, unsigned a) {
  const unsigned changed = lathe::detail::spread2(beyond);
  return (x & ~changed) | ((lathe::detail::spread2(a) ^ 0x7fff7fff) & changed);
}
/// |a - b| of each byte.
LATHE_INLINE unsigned __vabsdiffu4(unsigned a, unsigned b) {
  if (__lathe_target_is("cuda")) {
    unsigned out;
    asm("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(out) : "r"(a), "r"(b), "r"(0));
    return out;
  }
  unsigned out = 0;
  for (int i = 0; i < 32; i += 8) {
    const unsigned x = a >> i & 0xff, y = b >> i & 0xff;
    out |= (x > y ? x - y : y - x) << i;
  }
  return out;
}
LATHE_INLINE unsigned __vabsdiffs4(unsigned a, unsigned b) {
  return __vabsdiffu4(a ^ 0x80808080, b ^ 0x80808080);
}
LATHE_INLINE unsigned __vabs4(unsigned a) {
  return __vabsdiffs4(a, 0);
}
LATHE_INLINE unsigned __vabs2(unsigned a) {
  const unsigned sign = lathe::detail::spread2(a);
  return (a ^ sign) + (sign & 0x00010001);
}
// Instructions for two halves came with Hopper.
#define LATHE_CUDA_LANES_PTX(instruction)                         \
  if (__lathe_target_is("cuda") && __lathe_arch_at_least(90)) {   \
    unsigned out;                                                 \
    asm(instruction " %0, %1, %2;" : "=r"(out) : "r"(a), "r"(b)); \
    return out;                                                   \
  }
LATHE_CUDA_LANES(2, 0x80008000u, 0x00010001u, 15, LATHE_CUDA_LANES_PTX("add.u16x2"),
                 if (__lathe_target_is("cuda") && __lathe_arch_at_least(90)) return __vadd2(__vadd2(a, ~b),
                                                                                            0x00010001);)
LATHE_CUDA_LANES(4, 0x80808080u, 0x01010101u, 7, , )

// `above`: the lanes whose a is larger.
#define LATHE_CUDA_LANES_EXTREME(n, sign, ptx)                                                      \
  LATHE_CUDA_LANES_WORD(n, __vmax##sign, ptx("max") const unsigned above = __vcmpgt##sign##n(a, b); \
                        return (a & above) | (b & ~above);)                                         \
  LATHE_CUDA_LANES_WORD(n, __vmin##sign, ptx("min") const unsigned above = __vcmpgt##sign##n(a, b); \
                        return (b & above) | (a & ~above);)
#define LATHE_CUDA_LANES_NONE(name)
#define LATHE_CUDA_LANES_UNSIGNED(name) LATHE_CUDA_LANES_PTX(name ".u16x2")
#define LATHE_CUDA_LANES_SIGNED(name) LATHE_CUDA_LANES_PTX(name ".s16x2")
#define LATHE_CUDA_LANES_EXTREMES(sign, ptx)               \
  LATHE_CUDA_LANES_EXTREME(4, sign, LATHE_CUDA_LANES_NONE) \
  LATHE_CUDA_LANES_EXTREME(2, sign, ptx)
// The signs of functions' names, and their instructions'.
LATHE_CUDA_LANES_EXTREMES(u, LATHE_CUDA_LANES_UNSIGNED)
LATHE_CUDA_LANES_EXTREMES(s, LATHE_CUDA_LANES_SIGNED)
#undef LATHE_CUDA_LANES_EXTREMES
#undef LATHE_CUDA_LANES_SIGNED
#undef LATHE_CUDA_LANES_UNSIGNED
#undef LATHE_CUDA_LANES_NONE
#undef LATHE_CUDA_LANES_EXTREME
#undef LATHE_CUDA_LANES_ORDERED
#undef LATHE_CUDA_LANES_COMPARE
#undef LATHE_CUDA_LANES
#undef LATHE_CUDA_LANES_PTX
#undef LATHE_CUDA_LANES_WORD

// No lane of the larger numbers borrows from the next.
LATHE_INLINE unsigned __vabsdiffu2(unsigned a, unsigned b) {
  return __vmaxu2(a, b) - __vminu2(a, b);
}
LATHE_INLINE unsigned __vabsdiffs2(unsigned a, unsigned b) {
  return __vabsdiffu2(a ^ 0x80008000, b ^ 0x80008000);
}
LATHE_INLINE unsigned __vsadu2(unsigned a, unsigned b) {
  const unsigned differences = __vabsdiffu2(a, b);
  return (differences & 0xffff) + (differences >> 16);
}
LATHE_INLINE unsigned __vsads2(unsigned a, unsigned b) {
  return __vsadu2(a ^ 0x80008000, b ^ 0x80008000);
}

#endif
