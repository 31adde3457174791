// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcuda::wmma: matrix tiles of a warp, through Clang's builtins for the PTX instructions "wmma.load", "wmma.mma" and
// "wmma.store"; AMD GPUs with matrix instructions have tiles of 16 × 16 sums by these. On other targets a tile lies row by row
// over the lanes of 32 items, and products go through shuffles.
#ifndef LATHE_CUDA_MMA_H
#define LATHE_CUDA_MMA_H

#if defined(LATHE_HIP_WARP) && LATHE_HIP_WARP > 32
#error "<mma.h> is for warps of 32 threads, and this architecture has wider ones"
#endif

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <lathe/cuda/tensor/amd_tiles.h>

namespace nvcuda::wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}  // namespace precision
// Integers of four bits and bits, for NVIDIA GPUs from sm_75 to sm_89.
namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

namespace detail {
/// What a fragment keeps for each thread: `Element` as users see it, `Count` of them, `Words` registers.
template <class Use, int M, int N, int K, class T>
struct Shape;
#define LATHE_SHAPE(use, m, n, k, type, element, count) \
  template <>                                           \
  struct Shape<use, m, n, k, type> {                    \
    using Element = element;                            \
    static constexpr int elements = count;              \
  };
#define LATHE_SHAPES(m, n, k, type, element, a, b) \
  LATHE_SHAPE(matrix_a, m, n, k, type, element, a) \
  LATHE_SHAPE(matrix_b, m, n, k, type, element, b)
LATHE_SHAPES(16, 16, 16, __half, __half, 16, 16)
LATHE_SHAPES(32, 8, 16, __half, __half, 16, 16)
LATHE_SHAPES(8, 32, 16, __half, __half, 16, 16)
LATHE_SHAPES(16, 16, 16, __nv_bfloat16, __nv_bfloat16, 8, 8)
LATHE_SHAPES(16, 16, 16, signed char, signed char, 8, 8)
LATHE_SHAPES(16, 16, 16, unsigned char, unsigned char, 8, 8)
LATHE_SHAPES(16, 16, 8, precision::tf32, float, 4, 4)
LATHE_SHAPES(8, 8, 4, double, double, 1, 1)
LATHE_SHAPE(accumulator, 16, 16, 16, float, float, 8)
LATHE_SHAPE(accumulator, 32, 8, 16, float, float, 8)
LATHE_SHAPE(accumulator, 8, 32, 16, float, float, 8)
LATHE_SHAPE(accumulator, 16, 16, 16, __half, __half, 8)
LATHE_SHAPE(accumulator, 32, 8, 16, __half, __half, 8)
LATHE_SHAPE(accumulator, 8, 32, 16, __half, __half, 8)
LATHE_SHAPE(accumulator, 16, 16, 16, int, int, 8)
LATHE_SHAPES(32, 8, 16, __nv_bfloat16, __nv_bfloat16, 16, 4)
LATHE_SHAPES(32, 8, 16, signed char, signed char, 16, 4)
LATHE_SHAPES(32, 8, 16, unsigned char, unsigned char, 16, 4)
LATHE_SHAPE(accumulator, 32, 8, 16, int, int, 8)
LATHE_SHAPES(8, 32, 16, __nv_bfloat16, __nv_bfloat16, 4, 16)
LATHE_SHAPES(8, 32, 16, signed char, signed char, 4, 16)
LATHE_SHAPES(8, 32, 16, unsigned char, unsigned char, 4, 16)
LATHE_SHAPE(accumulator, 8, 32, 16, int, int, 8)
LATHE_SHAPE(accumulator, 16, 16, 8, float, float, 8)
LATHE_SHAPE(accumulator, 8, 8, 4, double, double, 2)
LATHE_SHAPES(8, 8, 32, experimental::precision::u4, int, 1, 1)
LATHE_SHAPES(8, 8, 32, experimental::precision::s4, int, 1, 1)
LATHE_SHAPES(8, 8, 128, experimental::precision::b1, int, 1, 1)
LATHE_SHAPE(accumulator, 8, 8, 32, int, int, 2)
LATHE_SHAPE(accumulator, 8, 8, 128, int, int, 2)
#undef LATHE_SHAPES
#undef LATHE_SHAPE
/// Loops stay loops: a shuffle is a barrier there, and a kernel multiplies many tiles.
/// Elsewhere: element (row, column) of a tile with Columns columns is lane's (row * Columns + column) % 32, in the
/// place that the quotient says.
template <int Rows, int Columns, class Element>
LATHE_INLINE void loadTile(Element* x, const Element* p, unsigned stride, bool byColumns) {
#pragma clang loop unroll(disable)
  for (int i = 0; i < (Rows * Columns + 31) / 32; ++i) {
    const unsigned at = static_cast<unsigned>(i) * 32 + lathe::detail::laneOfWarp(), row = at / Columns,
                   column = at % Columns;
    x[i] = byColumns ? p[column * stride + row] : p[row * stride + column];
  }
}
template <int Rows, int Columns, class Element>
LATHE_INLINE void storeTile(Element* p, const Element* x, unsigned stride, bool byColumns) {
#pragma clang loop unroll(disable)
  for (int i = 0; i < (Rows * Columns + 31) / 32; ++i) {
    const unsigned at = static_cast<unsigned>(i) * 32 + lathe::detail::laneOfWarp(), row = at / Columns,
                   column = at % Columns;
    p[byColumns ? column * stride + row : row * stride + column] = x[i];
  }
}
/// What lane \p at % 32 has in place at / 32; lanes ask for elements of two places at most, `low` and the next.
template <int Places, class Element>
LATHE_INLINE Element elementAt(const Element* x, unsigned at, unsigned low) {
  const Element first = __shfl_sync(0xffffffffu, x[low], static_cast<int>(at % 32), 32);
  if (low + 1 >= Places) return first;
  const Element second = __shfl_sync(0xffffffffu, x[low + 1], static_cast<int>(at % 32), 32);
  return at / 32 == low ? first : second;
}
/// Sums are made in int, double, or float, which holds products of halves exactly.
template <class T>
struct SumOf {
  using Type = float;
};
template <>
struct SumOf<int> {
  using Type = int;
};
template <>
struct SumOf<double> {
  using Type = double;
};
/// What keeps a sum in the range of finite values, on request.
LATHE_INLINE int saturated(long sum) {
  return sum < -__INT_MAX__ - 1l ? -__INT_MAX__ - 1 : sum > __INT_MAX__ ? __INT_MAX__ : static_cast<int>(sum);
}
template <class Element>
LATHE_INLINE Element saturated(Element x, float most) {
  const auto value = static_cast<float>(x);
  if (value != value) return static_cast<Element>(0.0f);
  return value > most ? static_cast<Element>(most) : value < -most ? static_cast<Element>(-most) : x;
}
LATHE_INLINE void saturate(int*, int) {}  // where it was computed
LATHE_INLINE void saturate(double*, int) {}
LATHE_INLINE void saturate(float* x, int count) {
  for (int i = 0; i < count; ++i) x[i] = saturated(x[i], __FLT_MAX__);
}
LATHE_INLINE void saturate(__half* x, int count) {
  for (int i = 0; i < count; ++i) x[i] = saturated(x[i], 65504.0f);
}
template <int M, int N, int K, class Sum, class Out, class Element, class In>
LATHE_INLINE void multiplyTilesAs(Out* out, const Element* a, const Element* b, const In* in) {
#pragma clang loop unroll(disable)
  for (unsigned i = 0; i < M * N / 32; ++i) {
    const unsigned at = i * 32 + lathe::detail::laneOfWarp(), row = at / N, column = at % N, firstRow = i * 32 / N;
    auto sum = static_cast<Sum>(in[i]);
#pragma clang loop unroll(disable)
    for (unsigned k = 0; k < K; ++k) {
      const auto fromA = static_cast<Sum>(elementAt<M * K / 32>(a, row * K + k, (firstRow * K + k) / 32));
      sum += fromA * static_cast<Sum>(elementAt<K * N / 32>(b, k * N + column, k * N / 32));
    }
    if constexpr (__is_same(Sum, long))
      out[i] = saturated(sum);
    else
      out[i] = static_cast<Out>(sum);
  }
}
template <int M, int N, int K, class Out, class Element, class In>
LATHE_INLINE void multiplyTiles(Out* out, const Element* a, const Element* b, const In* in, bool saturates) {
  if constexpr (M == 16 && N == 16)
    if (amd::hasTiles<M, N, K>()) return amd::multiply<K>(out, a, b, in, saturates);
  if constexpr (__is_same(Out, int))
    if (saturates) return multiplyTilesAs<M, N, K, long>(out, a, b, in);
  multiplyTilesAs<M, N, K, typename SumOf<Out>::Type>(out, a, b, in);
}
/// The first architecture with instructions for tiles of these elements, and for their accumulators. Products of
/// bfloat16 have those of halves, and need sm_80 all the same.
template <int K, class Element>
inline constexpr unsigned tilesSince = 70;
template <>
inline constexpr unsigned tilesSince<16, signed char> = 72;
template <>
inline constexpr unsigned tilesSince<16, unsigned char> = 72;
template <>
inline constexpr unsigned tilesSince<16, int> = 72;
template <>
inline constexpr unsigned tilesSince<8, precision::tf32> = 80;
template <>
inline constexpr unsigned tilesSince<8, float> = 80;
template <>
inline constexpr unsigned tilesSince<4, double> = 80;
}  // namespace detail

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment {
  using Shape = detail::Shape<Use, M, N, K, T>;

 public:
  using element_type = typename Shape::Element;
  static constexpr int num_elements = Shape::elements;
  static constexpr int num_storage_elements = Shape::elements;
  __align__(8) element_type x[Shape::elements];
};

namespace detail {
template <int M, int N, int K, int Rows, int Columns, class Use, class T, class Layout, class Element>
LATHE_INLINE void loadOperand(fragment<Use, M, N, K, T, Layout>& f, const Element* p, unsigned stride, bool byColumns) {
  if constexpr (M == 16 && N == 16)
    if (amd::hasTiles<M, N, K>())
      return amd::loadLine<K, Shape<Use, M, N, K, T>::elements>(f.x, p, stride, byColumns == __is_same(Use, matrix_b));
  loadTile<Rows, Columns>(f.x, p, stride, byColumns);
}
template <int M, int N, int K, class Element>
LATHE_INLINE void loadSums(Element* x, const Element* p, unsigned stride, bool byColumns) {
  if (amd::hasTiles<M, N, K>()) return amd::loadSums(x, p, stride, byColumns);
  loadTile<M, N>(x, p, stride, byColumns);
}
template <int M, int N, int K, class Element>
LATHE_INLINE void storeSums(Element* p, const Element* x, unsigned stride, bool byColumns) {
  if (amd::hasTiles<M, N, K>()) return amd::storeSums(p, x, stride, byColumns);
  storeTile<M, N>(p, x, stride, byColumns);
}
}  // namespace detail

template <class Fragment, class V>
LATHE_INLINE void fill_fragment(Fragment& f, const V& value) {
  for (int i = 0; i < Fragment::num_elements; ++i) f.x[i] = static_cast<typename Fragment::element_type>(value);
}
/// To ten digits behind the point, halves away from zero ("cvt.rna.tf32" of the PTX ISA).
LATHE_INLINE float __float_to_tf32(float x) {
  if (x != x) return x;
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, x) + 0x1000u) & ~0x1fffu);
}

// On other hardware all of a product's tiles lie over the lanes as those of other targets.
#define LATHE_HAS_TILES(k, type) (__lathe_target_is("cuda") && __lathe_arch_at_least(detail::tilesSince<k, type>))
#define LATHE_EXTENTS_a(m, n, k) m, k
#define LATHE_EXTENTS_b(m, n, k) k, n
// A and B of one shape: `to` and `from` are the builtins' pointer types.
#define LATHE_LOAD(use, which, m, n, k, type, builtin, to, from, element, layout, number)                          \
  LATHE_INLINE void load_matrix_sync(fragment<use, m, n, k, type, layout>& f, const element* p, unsigned stride) { \
    if (!LATHE_HAS_TILES(k, type))                                                                                 \
      return detail::loadOperand<m, n, k, LATHE_EXTENTS_##which(m, n, k)>(f, p, stride, number == 1);              \
    builtin(reinterpret_cast<to*>(f.x), reinterpret_cast<const from*>(p), stride, number);                         \
  }
#define LATHE_LOADS(m, n, k, type, prefix, suffix, to, from, element)                            \
  LATHE_LOAD(matrix_a, a, m, n, k, type, prefix##_ld_a##suffix, to, from, element, row_major, 0) \
  LATHE_LOAD(matrix_a, a, m, n, k, type, prefix##_ld_a##suffix, to, from, element, col_major, 1) \
  LATHE_LOAD(matrix_b, b, m, n, k, type, prefix##_ld_b##suffix, to, from, element, row_major, 0) \
  LATHE_LOAD(matrix_b, b, m, n, k, type, prefix##_ld_b##suffix, to, from, element, col_major, 1)
#define LATHE_ACCUMULATE(m, n, k, type, prefix, load, store, reg)                                              \
  LATHE_INLINE void load_matrix_sync(fragment<accumulator, m, n, k, type>& f, const type* p, unsigned stride,  \
                                     layout_t layout) {                                                        \
    if (!LATHE_HAS_TILES(k, type)) return detail::loadSums<m, n, k>(f.x, p, stride, layout == mem_col_major);    \
    if (layout == mem_row_major)                                                                               \
      load(reinterpret_cast<reg*>(f.x), reinterpret_cast<const reg*>(p), stride, 0);                           \
    else                                                                                                       \
      load(reinterpret_cast<reg*>(f.x), reinterpret_cast<const reg*>(p), stride, 1);                           \
  }                                                                                                            \
  LATHE_INLINE void store_matrix_sync(type* p, const fragment<accumulator, m, n, k, type>& f, unsigned stride, \
                                      layout_t layout) {                                                       \
    if (!LATHE_HAS_TILES(k, type)) return detail::storeSums<m, n, k>(p, f.x, stride, layout == mem_col_major);   \
    if (layout == mem_row_major)                                                                               \
      store(reinterpret_cast<reg*>(p), reinterpret_cast<const reg*>(f.x), stride, 0);                          \
    else                                                                                                       \
      store(reinterpret_cast<reg*>(p), reinterpret_cast<const reg*>(f.x), stride, 1);                          \
  }
// The builtins' number of a layout pair: row/row 0, row/col 1, col/row 2, col/col 3.
#define LATHE_MULTIPLY_AS(m, n, k, type, d, c, builtin, ab, dreg, creg, la, lb, number)                              \
  LATHE_INLINE void mma_sync(fragment<accumulator, m, n, k, d>& out, const fragment<matrix_a, m, n, k, type, la>& a, \
                             const fragment<matrix_b, m, n, k, type, lb>& b,                                         \
                             const fragment<accumulator, m, n, k, c>& in, bool saturates = false) {                  \
    if (!LATHE_HAS_TILES(k, type))                                                                                   \
      detail::multiplyTiles<m, n, k>(out.x, a.x, b.x, in.x, saturates);                                              \
    else if (__is_same(d, int) && saturates)                                                                         \
      builtin(reinterpret_cast<dreg*>(out.x), reinterpret_cast<const ab*>(a.x), reinterpret_cast<const ab*>(b.x),    \
              reinterpret_cast<const creg*>(in.x), number, __is_same(d, int));                                       \
    else                                                                                                             \
      builtin(reinterpret_cast<dreg*>(out.x), reinterpret_cast<const ab*>(a.x), reinterpret_cast<const ab*>(b.x),    \
              reinterpret_cast<const creg*>(in.x), number, 0);                                                       \
    if (saturates) detail::saturate(out.x, out.num_elements);                                                        \
  }
#define LATHE_MULTIPLY(m, n, k, type, d, c, builtin, ab, dreg, creg)                       \
  LATHE_MULTIPLY_AS(m, n, k, type, d, c, builtin, ab, dreg, creg, row_major, row_major, 0) \
  LATHE_MULTIPLY_AS(m, n, k, type, d, c, builtin, ab, dreg, creg, row_major, col_major, 1) \
  LATHE_MULTIPLY_AS(m, n, k, type, d, c, builtin, ab, dreg, creg, col_major, row_major, 2) \
  LATHE_MULTIPLY_AS(m, n, k, type, d, c, builtin, ab, dreg, creg, col_major, col_major, 3)
#define LATHE_HALF(m, n, k, prefix)                                                     \
  LATHE_LOADS(m, n, k, __half, prefix, , int, int, __half)                              \
  LATHE_ACCUMULATE(m, n, k, float, prefix, prefix##_ld_c_f32, prefix##_st_c_f32, float) \
  LATHE_ACCUMULATE(m, n, k, __half, prefix, prefix##_ld_c_f16, prefix##_st_c_f16, int)  \
  LATHE_MULTIPLY(m, n, k, __half, float, float, prefix##_mma_f32f32, int, float, float) \
  LATHE_MULTIPLY(m, n, k, __half, __half, __half, prefix##_mma_f16f16, int, int, int)   \
  LATHE_MULTIPLY(m, n, k, __half, __half, float, prefix##_mma_f16f32, int, int, float)  \
  LATHE_MULTIPLY(m, n, k, __half, float, __half, prefix##_mma_f32f16, int, float, int)
LATHE_HALF(16, 16, 16, __hmma_m16n16k16)
LATHE_HALF(32, 8, 16, __hmma_m32n8k16)
LATHE_HALF(8, 32, 16, __hmma_m8n32k16)
#define LATHE_BYTES(m, n, k, prefix)                                             \
  LATHE_LOADS(m, n, k, signed char, prefix, _s8, int, int, signed char)          \
  LATHE_LOADS(m, n, k, unsigned char, prefix, _u8, int, int, unsigned char)      \
  LATHE_ACCUMULATE(m, n, k, int, , prefix##_ld_c, prefix##_st_c_i32, int)        \
  LATHE_MULTIPLY(m, n, k, signed char, int, int, prefix##_mma_s8, int, int, int) \
  LATHE_MULTIPLY(m, n, k, unsigned char, int, int, prefix##_mma_u8, int, int, int)
LATHE_BYTES(16, 16, 16, __imma_m16n16k16)
LATHE_BYTES(32, 8, 16, __imma_m32n8k16)
LATHE_BYTES(8, 32, 16, __imma_m8n32k16)
#define LATHE_BFLOAT(m, n, k, prefix)                                    \
  LATHE_LOADS(m, n, k, __nv_bfloat16, prefix, , int, int, __nv_bfloat16) \
  LATHE_MULTIPLY(m, n, k, __nv_bfloat16, float, float, prefix##_mma_f32, int, float, float)
LATHE_BFLOAT(16, 16, 16, __mma_bf16_m16n16k16)
LATHE_BFLOAT(32, 8, 16, __mma_bf16_m32n8k16)
LATHE_BFLOAT(8, 32, 16, __mma_bf16_m8n32k16)
LATHE_LOADS(16, 16, 8, precision::tf32, __mma_tf32_m16n16k8, , int, int, float)
LATHE_ACCUMULATE(16, 16, 8, float, , __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32, float)
LATHE_MULTIPLY(16, 16, 8, precision::tf32, float, float, __mma_tf32_m16n16k8_mma_f32, int, float, float)
LATHE_LOADS(8, 8, 4, double, __dmma_m8n8k4, , double, double, double)
LATHE_ACCUMULATE(8, 8, 4, double, , __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64, double)
LATHE_MULTIPLY(8, 8, 4, double, double, double, __dmma_m8n8k4_mma_f64, double, double, double)

// Rows of A and columns of B only; `p` points to packed numbers.
#define LATHE_PACKED(k, type, prefix, kind)                                                                         \
  LATHE_INLINE void load_matrix_sync(fragment<matrix_a, 8, 8, k, experimental::precision::type, row_major>& f,      \
                                     const void* p, unsigned stride) {                                              \
    prefix##_ld_a_##kind(f.x, static_cast<const int*>(p), stride, 0);                                               \
  }                                                                                                                 \
  LATHE_INLINE void load_matrix_sync(fragment<matrix_b, 8, 8, k, experimental::precision::type, col_major>& f,      \
                                     const void* p, unsigned stride) {                                              \
    prefix##_ld_b_##kind(f.x, static_cast<const int*>(p), stride, 1);                                               \
  }
#define LATHE_PACKED_SUMS(k, prefix)                                                                          \
  LATHE_INLINE void load_matrix_sync(fragment<accumulator, 8, 8, k, int>& f, const int* p, unsigned stride,   \
                                     layout_t layout) {                                                       \
    layout == mem_row_major ? prefix##_ld_c(f.x, p, stride, 0) : prefix##_ld_c(f.x, p, stride, 1);            \
  }                                                                                                           \
  LATHE_INLINE void store_matrix_sync(int* p, const fragment<accumulator, 8, 8, k, int>& f, unsigned stride,  \
                                      layout_t layout) {                                                      \
    layout == mem_row_major ? prefix##_st_c_i32(p, f.x, stride, 0) : prefix##_st_c_i32(p, f.x, stride, 1);    \
  }
#define LATHE_PACKED_PRODUCT(type)                                                                                    \
  LATHE_INLINE void mma_sync(fragment<accumulator, 8, 8, 32, int>& out,                                               \
                             const fragment<matrix_a, 8, 8, 32, experimental::precision::type, row_major>& a,         \
                             const fragment<matrix_b, 8, 8, 32, experimental::precision::type, col_major>& b,         \
                             const fragment<accumulator, 8, 8, 32, int>& in, bool saturates = false) {                \
    saturates ? __imma_m8n8k32_mma_##type(out.x, a.x, b.x, in.x, 1, 1)                                                \
              : __imma_m8n8k32_mma_##type(out.x, a.x, b.x, in.x, 1, 0);                                               \
  }
LATHE_PACKED(32, u4, __imma_m8n8k32, u4)
LATHE_PACKED(32, s4, __imma_m8n8k32, s4)
LATHE_PACKED(128, b1, __bmma_m8n8k128, b1)
LATHE_PACKED_SUMS(32, __imma_m8n8k32)
LATHE_PACKED_SUMS(128, __bmma_m8n8k128)
LATHE_PACKED_PRODUCT(u4)
LATHE_PACKED_PRODUCT(s4)
LATHE_INLINE void bmma_sync(fragment<accumulator, 8, 8, 128, int>& out,
                            const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& a,
                            const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& b,
                            const fragment<accumulator, 8, 8, 128, int>& in,
                            experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
                            experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  operation == experimental::bmmaBitOpXOR ? __bmma_m8n8k128_mma_xor_popc_b1(out.x, a.x, b.x, in.x, 1)
                                          : __bmma_m8n8k128_mma_and_popc_b1(out.x, a.x, b.x, in.x, 1);
}

#undef LATHE_PACKED_PRODUCT
#undef LATHE_PACKED_SUMS
#undef LATHE_PACKED
#undef LATHE_HALF
#undef LATHE_BYTES
#undef LATHE_BFLOAT
#undef LATHE_MULTIPLY
#undef LATHE_MULTIPLY_AS
#undef LATHE_ACCUMULATE
#undef LATHE_LOADS
#undef LATHE_HAS_TILES
#undef LATHE_LOAD
#undef LATHE_EXTENTS_a
#undef LATHE_EXTENTS_b

}  // namespace nvcuda::wmma

#endif
