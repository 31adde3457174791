// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices (the device ABI's group `matrix`) by matrix instructions: MFMA of CDNA 2 and 3 for waves of 64
// lanes, WMMA of RDNA 3 and 4 for waves of 32 ("CDNA3", "RDNA3" and "RDNA4 Instruction Set Architecture"). Lane g * 16
// + r holds words of row r of A and of column r of B, as many from the g-th on, and of column r of the accumulator.
#ifndef LATHE_TARGETS_AMDGPU_DEVICE_MATRIX_H
#define LATHE_TARGETS_AMDGPU_DEVICE_MATRIX_H

#include <lathe/sdk/device_matrix.h>

namespace lathe_amdgpu {

using lathe_matrix::Pair;

// Each is a constant by the time the code is optimised.
LATHE_MATRIX_INLINE bool hasMfma() {
  return __lathe_target_is("amdgpu:gfx90a|gfx94[0-9]|gfx950|gfx9-4-generic");
}
/// Both halves of a wave hold all of A and B.
LATHE_MATRIX_INLINE bool hasDoubledWmma() {
  return __lathe_target_is("amdgpu:gfx110[0-3]|gfx115[0-3]|gfx11-generic");
}
LATHE_MATRIX_INLINE bool hasWmma() {
  return __lathe_target_is("amdgpu:gfx120[01]|gfx12-generic");
}
LATHE_MATRIX_INLINE bool hasInstructions() {
  return hasMfma() || hasDoubledWmma() || hasWmma();
}

struct Lanes {
  static LATHE_MATRIX_INLINE unsigned words() { return 128 / __lathe_subgroup_size(); }  // of a factor
  static LATHE_MATRIX_INLINE unsigned row(unsigned matrix, unsigned place) {
    const unsigned group = __lathe_subgroup_item_id() / 16, line = __lathe_subgroup_item_id() % 16;
    if (matrix == lathe_matrix::factorA) return line;
    if (matrix == lathe_matrix::factorB) return group * words() + place;
    return hasDoubledWmma() ? 2 * place + group : group * 2 * words() + place;
  }
  static LATHE_MATRIX_INLINE unsigned column(unsigned matrix, unsigned place) {
    const unsigned group = __lathe_subgroup_item_id() / 16, line = __lathe_subgroup_item_id() % 16;
    return matrix == lathe_matrix::factorA ? group * words() + place : line;
  }
  static LATHE_MATRIX_INLINE unsigned placeOfA(unsigned, unsigned k) { return k % words(); }
  static LATHE_MATRIX_INLINE unsigned itemOfA(unsigned row, unsigned k) { return k / words() * 16 + row; }
  static LATHE_MATRIX_INLINE unsigned placeOfB(unsigned, unsigned k) { return k % words(); }
  static LATHE_MATRIX_INLINE unsigned itemOfB(unsigned column, unsigned k) { return k / words() * 16 + column; }
};

template <class T, int N>
using Vector = T __attribute__((ext_vector_type(N)));
using Floats4 = Vector<float, 4>;
using Floats8 = Vector<float, 8>;
using Ints2 = Vector<int, 2>;
using Ints4 = Vector<int, 4>;
using Ints8 = Vector<int, 8>;
using Pairs2 = Vector<Pair, 2>;
using Pairs4 = Vector<Pair, 4>;
using Halves4 = Vector<_Float16, 4>;
using Halves8 = Vector<_Float16, 8>;
using Halves16 = Vector<_Float16, 16>;
using Shorts4 = Vector<short, 4>;
using Shorts8 = Vector<short, 8>;
using Shorts16 = Vector<short, 16>;

// The intrinsics: Clang's builtins ask for a processor, which this file has none of.
#define LATHE_TILE(name, intrinsic, sums, ...) \
  extern "C" __attribute__((convergent)) sums lathe_amdgpu_##name(__VA_ARGS__) __asm("llvm.amdgcn." intrinsic);
#define LATHE_MFMA(name, intrinsic, sums, operand) \
  LATHE_TILE(name, "mfma." intrinsic, sums, operand, operand, sums, int, int, int)
#define LATHE_WMMA(name, intrinsic, sums, operand) LATHE_TILE(name, "wmma." intrinsic, sums, operand, operand, sums)
#define LATHE_WMMA_BYTES(name, intrinsic, operand) \
  LATHE_TILE(name, "wmma." intrinsic, Ints8, bool, operand, bool, operand, Ints8, bool)
LATHE_MFMA(mfma_f16, "f32.16x16x16f16", Floats4, Halves4)
LATHE_MFMA(mfma_bf16, "f32.16x16x16bf16.1k", Floats4, Shorts4)
LATHE_MFMA(mfma_f32, "f32.16x16x4f32", Floats4, float)
LATHE_MFMA(mfma_i8, "i32.16x16x16i8", Ints4, int)
LATHE_MFMA(mfma_i8_deep, "i32.16x16x32.i8", Ints4, long)
LATHE_WMMA(wmma_f16_doubled, "f32.16x16x16.f16.v8f32.v16f16", Floats8, Halves16)
LATHE_WMMA(wmma_bf16_doubled, "f32.16x16x16.bf16.v8f32.v16i16", Floats8, Shorts16)
LATHE_WMMA(wmma_f16, "f32.16x16x16.f16.v8f32.v8f16", Floats8, Halves8)
LATHE_WMMA(wmma_bf16, "f32.16x16x16.bf16.v8f32.v8i16", Floats8, Shorts8)
LATHE_WMMA_BYTES(wmma_i8_doubled, "i32.16x16x16.iu8.v8i32.v4i32", Ints4)
LATHE_WMMA_BYTES(wmma_i8, "i32.16x16x16.iu8.v8i32.v2i32", Ints2)
#undef LATHE_WMMA_BYTES
#undef LATHE_WMMA
#undef LATHE_MFMA
#undef LATHE_TILE

/// A factor's words in this lane; a wave of 64 has the first pair alone.
struct Factor {
  Pair first, second;
};
/// The whole line of which each half of a wave holds 128 bits: the same words in both.
LATHE_MATRIX_INLINE Pairs4 wholeLine(Factor own) {
  const bool isUpper = __lathe_subgroup_item_id() >= 16;
  const auto other = [](Pair pair) __attribute__((always_inline)) {
    return lathe_matrix::pairOf(__lathe_shuffle_xor_i32(~0ULL, lathe_matrix::wordOf(pair, 0), 16, 32),
                                __lathe_shuffle_xor_i32(~0ULL, lathe_matrix::wordOf(pair, 1), 16, 32));
  };
  const Pair first = other(own.first), second = other(own.second);
  return isUpper ? Pairs4{first, second, own.first, own.second} : Pairs4{own.first, own.second, first, second};
}

// A cast of values: Clang 22's bit cast of some elements of a vector, without a copy, is that of the first ones.
template <class Vector>
LATHE_MATRIX_INLINE Vector as(Pairs4 pairs) {
  return __builtin_bit_cast(Vector, pairs);
}
template <class Vector>
LATHE_MATRIX_INLINE Vector as(Pairs2 pairs) {
  return __builtin_bit_cast(Vector, pairs);
}
/// The pair of that number, a constant.
template <class Vector>
LATHE_MATRIX_INLINE Pair pairIn(Vector sums, unsigned number) {
  if constexpr (sizeof(Vector) == 16) {
    const auto pairs = __builtin_bit_cast(Pairs2, sums);
    return number == 0 ? pairs[0] : pairs[1];
  } else {
    const auto pairs = __builtin_bit_cast(Pairs4, sums);
    return lathe_matrix::chosen(pairs[0], pairs[1], pairs[2], pairs[3], number);
  }
}

/// Elements of two bytes, by the instructions' three forms.
template <class Element, auto Mfma, auto Doubled, auto Single>
LATHE_MATRIX_INLINE Pair multiplyHalves(Factor a, Factor b, Pairs4 sums, unsigned number) {
  using Quarter = Vector<Element, 4>;
  if (hasMfma()) {
    return pairIn(
        Mfma(__builtin_bit_cast(Quarter, a.first), __builtin_bit_cast(Quarter, b.first), as<Floats4>(sums.xy), 0, 0, 0),
        number);
  }
  const auto c = as<Floats8>(sums);
  using Line = Vector<Element, 16>;
  if (hasDoubledWmma()) return pairIn(Doubled(as<Line>(wholeLine(a)), as<Line>(wholeLine(b)), c), number);
  using Half = Vector<Element, 8>;
  return pairIn(Single(__builtin_bit_cast(Half, a), __builtin_bit_cast(Half, b), c), number);
}
LATHE_MATRIX_INLINE Pair multiplyF16(Factor a, Factor b, Pairs4 sums, unsigned number) {
  return multiplyHalves<_Float16, lathe_amdgpu_mfma_f16, lathe_amdgpu_wmma_f16_doubled, lathe_amdgpu_wmma_f16>(
      a, b, sums, number);
}
LATHE_MATRIX_INLINE Pair multiplyBf16(Factor a, Factor b, Pairs4 sums, unsigned number) {
  return multiplyHalves<short, lathe_amdgpu_mfma_bf16, lathe_amdgpu_wmma_bf16_doubled, lathe_amdgpu_wmma_bf16>(
      a, b, sums, number);
}
/// MFMA alone, a word of each lane at a time.
LATHE_MATRIX_INLINE Pair multiplyTf32(Factor a, Factor b, Pairs4 sums, unsigned number) {
  const auto element = [](Factor f, unsigned place) __attribute__((always_inline)) {
    return __builtin_bit_cast(float, lathe_matrix::wordOf(f.first, place));
  };
  const auto c = lathe_amdgpu_mfma_f32(element(a, 0), element(b, 0), as<Floats4>(sums.xy), 0, 0, 0);
  return pairIn(lathe_amdgpu_mfma_f32(element(a, 1), element(b, 1), c, 0, 0, 0), number);
}

/// Products of signed bytes, 16 words deep. CDNA 2 takes a word of each lane at a time, CDNA 3 two.
LATHE_MATRIX_INLINE Ints4 bytesByMfma(Pair a, Pair b, Ints4 sums) {
  if (!__lathe_target_is("amdgpu:gfx90a"))
    return lathe_amdgpu_mfma_i8_deep(static_cast<long>(a), static_cast<long>(b), sums, 0, 0, 0);
  const auto half = lathe_amdgpu_mfma_i8(static_cast<int>(a), static_cast<int>(b), sums, 0, 0, 0);
  return lathe_amdgpu_mfma_i8(static_cast<int>(a >> 32), static_cast<int>(b >> 32), half, 0, 0, 0);
}
template <bool Signed>
LATHE_MATRIX_INLINE Pair multiplyBytes(Factor a, Factor b, Pairs4 sums, unsigned number) {
  if (hasMfma()) {
    const auto c = as<Ints4>(sums.xy);
    if constexpr (Signed) return pairIn(bytesByMfma(a.first, b.first, c), number);
    // With x = x' + 128, where x' is signed: the sum of a b is that of a' b', and 128 times those of a' and b', and
    // 32 · 128².
    constexpr Pair flip = 0x8080808080808080ULL;  // eight times -128, too
    const Pair left = a.first ^ flip, right = b.first ^ flip;
    const Ints4 negative = bytesByMfma(flip, right, bytesByMfma(left, flip, Ints4(0)));
    return pairIn(bytesByMfma(left, right, c - negative + 32 * 128 * 128), number);
  }
  // Instructions take half of the depth: the first pair of each lane, and then the second.
  auto c = as<Ints8>(sums);
  if (hasDoubledWmma()) {
    const Pairs4 left = wholeLine(a), right = wholeLine(b);
    c = lathe_amdgpu_wmma_i8_doubled(Signed, as<Ints4>(left.xz), Signed, as<Ints4>(right.xz), c, false);
    return pairIn(lathe_amdgpu_wmma_i8_doubled(Signed, as<Ints4>(left.yw), Signed, as<Ints4>(right.yw), c, false),
                  number);
  }
  c = lathe_amdgpu_wmma_i8(Signed, __builtin_bit_cast(Ints2, a.first), Signed, __builtin_bit_cast(Ints2, b.first), c,
                           false);
  return pairIn(lathe_amdgpu_wmma_i8(Signed, __builtin_bit_cast(Ints2, a.second), Signed,
                                     __builtin_bit_cast(Ints2, b.second), c, false),
                number);
}

}  // namespace lathe_amdgpu

extern "C" __attribute__((always_inline)) unsigned __lathe_matrix_row(unsigned matrix, unsigned place) {
  return lathe_amdgpu::hasInstructions() ? lathe_amdgpu::Lanes::row(matrix, place)
                                         : lathe_matrix::Rows::row(matrix, place);
}
extern "C" __attribute__((always_inline)) unsigned __lathe_matrix_column(unsigned matrix, unsigned place) {
  return lathe_amdgpu::hasInstructions() ? lathe_amdgpu::Lanes::column(matrix, place)
                                         : lathe_matrix::Rows::column(matrix, place);
}

#define LATHE_MULTIPLY(kind, condition, instruction, ...)                                                             \
  LATHE_MATRIX_ENTRY(kind) {                                                                                          \
    if (lathe_amdgpu::condition())                                                                                    \
      return lathe_amdgpu::instruction({a0, a1}, {b0, b1}, lathe_amdgpu::Pairs4{c0, c1, c2, c3}, number);             \
    if (lathe_amdgpu::hasInstructions())                                                                              \
      return lathe_matrix::multiplied<lathe_amdgpu::Lanes, lathe_matrix::__VA_ARGS__>(a0, a1, b0, b1, c0, c1, c2, c3, \
                                                                                      number);                        \
    return lathe_matrix::multiplied<lathe_matrix::Rows, lathe_matrix::__VA_ARGS__>(a0, a1, b0, b1, c0, c1, c2, c3,    \
                                                                                   number);                           \
  }
using lathe_matrix::Pair;
LATHE_MULTIPLY(f16, hasInstructions, multiplyF16, AddHalves)
LATHE_MULTIPLY(bf16, hasInstructions, multiplyBf16, AddBfloats)
LATHE_MULTIPLY(tf32, hasMfma, multiplyTf32, AddFloats)
LATHE_MULTIPLY(s8, hasInstructions, multiplyBytes<true>, AddBytes<signed char>)
LATHE_MULTIPLY(u8, hasInstructions, multiplyBytes<false>, AddBytes<unsigned char>)
#undef LATHE_MULTIPLY

#endif
