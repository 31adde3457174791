// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of <mma.h> on AMD GPUs with matrix instructions: MFMA of CDNA 2 and 3 for waves of 64 lanes, WMMA of RDNA 3 and
// 4 for waves of 32 ("CDNA3", "RDNA3" and "RDNA4 Instruction Set Architecture", matrix instructions). A warp's lane is
// h * 16 + r:
//
//   A: row r, and of its K elements the h-th half · B: the same of column r · sums: column r, and the rows that
//   rowOfSum() says
//
// Which elements of K meet in an instruction's step is free, as long as A and B agree.
#ifndef LATHE_CUDA_TENSOR_AMD_TILES_H
#define LATHE_CUDA_TENSOR_AMD_TILES_H

#include <lathe/cuda/subgroup.h>

namespace nvcuda::wmma::detail::amd {

// Queries are constants in the first stages, so that no instruction of one processor reaches another.
LATHE_INLINE bool hasMfma() {
  return __lathe_target_is("amdgpu:gfx90a|gfx94[0-9]|gfx950|gfx9-4-generic");
}
/// Both halves of a wave hold all of A and B.
LATHE_INLINE bool hasDoubledWmma() {
  return __lathe_target_is("amdgpu:gfx110[0-3]|gfx115[0-3]|gfx11-generic");
}
LATHE_INLINE bool hasWmma() {
  return __lathe_target_is("amdgpu:gfx120[01]|gfx12-generic");
}
/// True if tiles of the shape lie as this file says: all tiles of a shape do, or none.
template <int M, int N, int K>
LATHE_INLINE bool hasTiles() {
  if constexpr (M == 16 && N == 16 && K == 16) return hasMfma() || hasDoubledWmma() || hasWmma();
  if constexpr (M == 16 && N == 16 && K == 8) return hasMfma();
  return false;
}

LATHE_INLINE unsigned rowOfSum(unsigned place, unsigned half) {
  if (hasDoubledWmma()) return 2 * place + half;
  return hasMfma() ? 4 * half + place % 4 + place / 4 * 8 : 8 * half + place;
}

/// One operand's line, a row of A or a column of B; `isTogether`: its elements lie next to each other. A fragment that
/// has room for whole lines holds them where an instruction wants them whole.
template <int K, int Places, class Element>
LATHE_INLINE void loadLine(Element* x, const Element* p, unsigned stride, bool isTogether) {
  const unsigned lane = lathe::detail::laneOfWarp(), line = lane % 16;
  const bool isWhole = Places >= K && hasDoubledWmma();
  const unsigned first = isWhole ? 0 : lane / 16 * (K / 2);
#pragma unroll
  for (unsigned i = 0; i < K / 2; ++i)
    x[i] = isTogether ? p[line * stride + first + i] : p[(first + i) * stride + line];
  if constexpr (Places >= K)
    if (isWhole) {
#pragma unroll
      for (unsigned i = K / 2; i < K; ++i) x[i] = isTogether ? p[line * stride + i] : p[i * stride + line];
    }
}
template <class Element>
LATHE_INLINE void loadSums(Element* x, const Element* p, unsigned stride, bool byColumns) {
  const unsigned lane = lathe::detail::laneOfWarp(), column = lane % 16;
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned row = rowOfSum(i, lane / 16);
    x[i] = byColumns ? p[column * stride + row] : p[row * stride + column];
  }
}
template <class Element>
LATHE_INLINE void storeSums(Element* p, const Element* x, unsigned stride, bool byColumns) {
  const unsigned lane = lathe::detail::laneOfWarp(), column = lane % 16;
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned row = rowOfSum(i, lane / 16);
    p[byColumns ? column * stride + row : row * stride + column] = x[i];
  }
}

template <class T, int N>
using Vector = T __attribute__((ext_vector_type(N)));
#define LATHE_AMD_TILE(name, intrinsic, sums, ...) \
  extern "C" __device__ sums lathe_amd_tile_##name(__VA_ARGS__) __asm__("llvm.amdgcn." intrinsic);
#define LATHE_AMD_MFMA(name, intrinsic, sums, operand) \
  LATHE_AMD_TILE(name, "mfma." intrinsic, sums, operand, operand, sums, int, int, int)
#define LATHE_AMD_WMMA(name, intrinsic, sums, operand) \
  LATHE_AMD_TILE(name, "wmma." intrinsic, sums, operand, operand, sums)
using Floats2 = Vector<float, 2>;
using Floats4 = Vector<float, 4>;
using Floats8 = Vector<float, 8>;
using Ints4 = Vector<int, 4>;
using Ints8 = Vector<int, 8>;
using Ints2 = Vector<int, 2>;
template <int N>
using Words = Vector<int, N>;
using Halves4 = Vector<_Float16, 4>;
using Halves8 = Vector<_Float16, 8>;
using Halves16 = Vector<_Float16, 16>;
using Shorts4 = Vector<short, 4>;
using Shorts8 = Vector<short, 8>;
using Shorts16 = Vector<short, 16>;
LATHE_AMD_MFMA(mfma_half, "f32.16x16x16f16", Floats4, Halves4)
LATHE_AMD_MFMA(mfma_bfloat, "f32.16x16x16bf16.1k", Floats4, Shorts4)
LATHE_AMD_MFMA(mfma_float, "f32.16x16x4f32", Floats4, float)
LATHE_AMD_MFMA(mfma_byte, "i32.16x16x16i8", Ints4, int)
LATHE_AMD_MFMA(mfma_byte_32, "i32.16x16x32.i8", Ints4, long)
LATHE_AMD_WMMA(wmma_half_doubled, "f32.16x16x16.f16.v8f32.v16f16", Floats8, Halves16)
LATHE_AMD_WMMA(wmma_bfloat_doubled, "f32.16x16x16.bf16.v8f32.v16i16", Floats8, Shorts16)
LATHE_AMD_WMMA(wmma_half, "f32.16x16x16.f16.v8f32.v8f16", Floats8, Halves8)
LATHE_AMD_WMMA(wmma_bfloat, "f32.16x16x16.bf16.v8f32.v8i16", Floats8, Shorts8)
LATHE_AMD_TILE(wmma_byte_doubled, "wmma.i32.16x16x16.iu8.v8i32.v4i32", Ints8, bool, Ints4, bool, Ints4, Ints8, bool)
LATHE_AMD_TILE(wmma_byte, "wmma.i32.16x16x16.iu8.v8i32.v2i32", Ints8, bool, Ints2, bool, Ints2, Ints8, bool)
LATHE_AMD_TILE(bpermute, "ds.bpermute", int, int, int)
LATHE_AMD_TILE(set_inactive, "set.inactive.i32", int, int, int)
LATHE_AMD_TILE(strict_wwm, "strict.wwm.i32", int, int)
#undef LATHE_AMD_WMMA
#undef LATHE_AMD_MFMA
#undef LATHE_AMD_TILE

template <class To, class From>
LATHE_INLINE To asRegisters(const From* p) {
  To out;
  __builtin_memcpy(&out, p, sizeof(out));
  return out;
}

/// A line's two halves, of which each lane holds one, in registers of 32 bits.
template <int Words>
struct Line {
  int words[2 * Words];
};
template <int Words>
LATHE_INLINE Line<Words> wholeLine(const void* own) {
  const bool isUpper = lathe::detail::laneOfWarp() >= 16;
  Line<Words> out;
#pragma unroll
  for (int i = 0; i < Words; ++i) {
    const int mine = static_cast<const int*>(own)[i], other = __shfl_xor_sync(0xffffffffu, mine, 16, 32);
    out.words[i] = isUpper ? other : mine;
    out.words[Words + i] = isUpper ? mine : other;
  }
  return out;
}

// Elements: how they are multiplied by each kind of instruction. `sums` has the lane's 8, or an MFMA's 4.
LATHE_INLINE void byWmma(float* sums, const __half* a, const __half* b) {
  auto c = asRegisters<Floats8>(sums);
  if (hasDoubledWmma())
    c = lathe_amd_tile_wmma_half_doubled(asRegisters<Halves16>(a), asRegisters<Halves16>(b), c);
  else
    c = lathe_amd_tile_wmma_half(asRegisters<Halves8>(a), asRegisters<Halves8>(b), c);
  __builtin_memcpy(sums, &c, sizeof(c));
}
LATHE_INLINE void byWmma(float* sums, const __nv_bfloat16* a, const __nv_bfloat16* b) {
  auto c = asRegisters<Floats8>(sums);
  if (hasDoubledWmma()) {
    const Line<4> left = wholeLine<4>(a), right = wholeLine<4>(b);
    c = lathe_amd_tile_wmma_bfloat_doubled(asRegisters<Shorts16>(&left), asRegisters<Shorts16>(&right), c);
  } else {
    c = lathe_amd_tile_wmma_bfloat(asRegisters<Shorts8>(a), asRegisters<Shorts8>(b), c);
  }
  __builtin_memcpy(sums, &c, sizeof(c));
}
template <bool Signed>
LATHE_INLINE void bytesByWmma(int* sums, const void* a, const void* b) {
  auto c = asRegisters<Ints8>(sums);
  if (hasDoubledWmma()) {
    const Line<2> left = wholeLine<2>(a), right = wholeLine<2>(b);
    c = lathe_amd_tile_wmma_byte_doubled(Signed, asRegisters<Ints4>(&left), Signed, asRegisters<Ints4>(&right), c,
                                         false);
  } else {
    c = lathe_amd_tile_wmma_byte(Signed, asRegisters<Ints2>(static_cast<const int*>(a)), Signed,
                                 asRegisters<Ints2>(static_cast<const int*>(b)), c, false);
  }
  __builtin_memcpy(sums, &c, sizeof(c));
}
LATHE_INLINE void byWmma(int* sums, const signed char* a, const signed char* b) {
  bytesByWmma<true>(sums, a, b);
}
LATHE_INLINE void byWmma(int* sums, const unsigned char* a, const unsigned char* b) {
  bytesByWmma<false>(sums, a, b);
}
LATHE_INLINE void byWmma(float*, const float*, const float*) {}  // RDNA has none

// A lane's part of an MFMA's operands, in registers of 32 bits: those of its half line that one instruction takes. No
// loops and no branches from here to addProduct(): what lanes that are switched off compute must stay in registers at
// every level.
LATHE_INLINE Floats4 byMfma(Floats4 sums, Words<2> a, Words<2> b, const __half*) {
  return lathe_amd_tile_mfma_half(__builtin_bit_cast(Halves4, a), __builtin_bit_cast(Halves4, b), sums, 0, 0, 0);
}
LATHE_INLINE Floats4 byMfma(Floats4 sums, Words<2> a, Words<2> b, const __nv_bfloat16*) {
  return lathe_amd_tile_mfma_bfloat(__builtin_bit_cast(Shorts4, a), __builtin_bit_cast(Shorts4, b), sums, 0, 0, 0);
}
/// Cast as a whole: Clang 22's bit cast of one element of a vector is that of the first.
LATHE_INLINE Floats4 byMfma(Floats4 sums, Words<2> a, Words<2> b, const float*) {
  const auto left = __builtin_bit_cast(Floats2, a), right = __builtin_bit_cast(Floats2, b);
  sums = lathe_amd_tile_mfma_float(left[0], right[0], sums, 0, 0, 0);
  return lathe_amd_tile_mfma_float(left[1], right[1], sums, 0, 0, 0);
}
/// Products of signed bytes; CDNA 3 has only an instruction of twice the depth.
LATHE_INLINE Ints4 bytesByMfma(int a, int b, Ints4 sums) {
  if (__lathe_target_is("amdgpu:gfx90a")) return lathe_amd_tile_mfma_byte(a, b, sums, 0, 0, 0);
  return lathe_amd_tile_mfma_byte_32(static_cast<unsigned>(a), static_cast<unsigned>(b), sums, 0, 0, 0);
}
LATHE_INLINE Ints4 byMfma(Ints4 sums, Words<1> a, Words<1> b, const signed char*) {
  return bytesByMfma(a[0], b[0], sums);
}
/// With x = x' + 128, where x' is signed: the sum of a b is that of a' b', and 128 times those of a' and b', and 16 ·
/// 128².
LATHE_INLINE Ints4 byMfma(Ints4 sums, Words<1> a, Words<1> b, const unsigned char*) {
  constexpr int flip = static_cast<int>(0x80808080u);  // four times -128, too
  const int left = a[0] ^ flip, right = b[0] ^ flip;
  const Ints4 negative = bytesByMfma(flip, right, bytesByMfma(left, flip, Ints4(0)));
  return bytesByMfma(left, right, sums - negative + 16 * 128 * 128);
}

/// f() of each of one, two or four words.
template <int N, class F>
LATHE_INLINE Words<N> forEach(Words<N> words, F f) {
  words[0] = f(words[0]);
  if constexpr (N > 1) words[1] = f(words[1]);
  if constexpr (N > 2) words[2] = f(words[2]), words[3] = f(words[3]);
  return words;
}
/// A lane's words of a half line or of sums: the first half belongs to an operand's lower 32 lanes, the second to its
/// upper.
template <int N>
struct Halves {
  Words<N> low, high;
};
/// Lane numbers of a wave whose two warps hold a tile each.
struct Wave {
  int upper;        ///< all ones in the second warp's lanes
  int acrossBytes;  ///< four times the number of the other warp's lane
  template <int N>
  LATHE_INLINE Words<N> choose(Words<N> inUpper, Words<N> inLower) const {
    return (inUpper & upper) | (inLower & ~upper);
  }
  template <int N>
  LATHE_INLINE Words<N> ofOtherWarp(Words<N> words) const {
    const int from = acrossBytes;
    return forEach<N>(words,
                      [from](int word) __attribute__((always_inline)) { return lathe_amd_tile_bpermute(from, word); });
  }
};
LATHE_INLINE Wave waveHere() {
  const int lane = static_cast<int>(__lathe_subgroup_item_id());
  return {-(lane >> 5), (lane ^ 32) * 4};
}
/// The words that each warp's product takes of all lanes: one exchange brings those that lie in the other half of the
/// wave.
template <int N>
LATHE_INLINE void splitByWarps(const Wave& wave, const Halves<N>& own, Words<N>& first, Words<N>& second) {
  const Words<N> kept = wave.template choose<N>(own.high, own.low);
  const Words<N> got = wave.template ofOtherWarp<N>(wave.template choose<N>(own.low, own.high));
  first = wave.template choose<N>(got, kept);
  second = wave.template choose<N>(kept, got);
}
/// The products of both warps of a wave, added to the sums. All lanes take part, be they switched on or not.
template <int N, class Sums, class Element>
LATHE_INLINE Halves<4> multiplyByWaves(const Halves<4>& sums, const Halves<N>& a, const Halves<N>& b) {
  const Wave wave = waveHere();
  Words<N> a0, a1, b0, b1;
  Words<4> c0, c1;
  splitByWarps<N>(wave, a, a0, a1);
  splitByWarps<N>(wave, b, b0, b1);
  splitByWarps<4>(wave, sums, c0, c1);
  const auto* const kind = static_cast<const Element*>(nullptr);
  c0 = __builtin_bit_cast(Words<4>, byMfma(__builtin_bit_cast(Sums, c0), a0, b0, kind));
  c1 = __builtin_bit_cast(Words<4>, byMfma(__builtin_bit_cast(Sums, c1), a1, b1, kind));
  const Words<4> got = wave.ofOtherWarp<4>(wave.choose<4>(c0, c1));
  return {wave.choose<4>(got, c0), wave.choose<4>(c1, got)};
}

/// Adds the product to the sums, in float or int.
template <int K, class Sum, class Element>
LATHE_INLINE void addProduct(Sum* sums, const Element* a, const Element* b) {
  if (!hasMfma()) return byWmma(sums, a, b);
  constexpr int words = K / 4 * static_cast<int>(sizeof(Element)) / 4;
  auto left = asRegisters<Halves<words>>(a), right = asRegisters<Halves<words>>(b);
  auto out = asRegisters<Halves<4>>(sums);
  if (__lathe_active_mask() == ~0ull) {
    out = multiplyByWaves<words, Vector<Sum, 4>, Element>(out, left, right);
  } else {
    // The other warp is not here: its lanes are switched on for the product, with registers that nobody else uses.
    const auto off = [](int word) __attribute__((always_inline)) { return lathe_amd_tile_set_inactive(word, 0); };
    const auto on = [](int word) __attribute__((always_inline)) { return lathe_amd_tile_strict_wwm(word); };
    left = {forEach<words>(left.low, off), forEach<words>(left.high, off)};
    right = {forEach<words>(right.low, off), forEach<words>(right.high, off)};
    out = {forEach<4>(out.low, off), forEach<4>(out.high, off)};
    out = multiplyByWaves<words, Vector<Sum, 4>, Element>(out, left, right);
    out = {forEach<4>(out.low, on), forEach<4>(out.high, on)};
  }
  __builtin_memcpy(sums, &out, sizeof(out));
}

template <int K, class Out, class In, class Element>
LATHE_INLINE void multiply(Out* out, const Element* a, const Element* b, const In* in, bool saturates) {
  if constexpr (__is_same(Out, int)) {
    int sums[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) sums[i] = saturates ? 0 : in[i];
    addProduct<K>(sums, a, b);
#pragma unroll
    for (int i = 0; i < 8; ++i) out[i] = saturates ? __builtin_elementwise_add_sat(sums[i], in[i]) : sums[i];
  } else {
    float sums[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) sums[i] = static_cast<float>(in[i]);
    addProduct<K>(sums, a, b);
#pragma unroll
    for (int i = 0; i < 8; ++i) out[i] = static_cast<Out>(sums[i]);
  }
}

}  // namespace nvcuda::wmma::detail::amd

#endif
