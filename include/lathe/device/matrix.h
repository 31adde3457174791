// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of small matrices by the items of a subgroup together, on hardware for it where the target has some:
// NVIDIA's mma.sync from sm_80 on, AMD's WMMA and MFMA; by shuffles elsewhere. Subgroups have 32 or 64 items.
//
//   lathe::accumulator<float> sums;                        // 16 × 16, spread over the items of the subgroup
//   sums.fill(0);
//   for (unsigned k = 0; k < depth; k += lathe::matrix_a<_Float16>::columns) {
//     lathe::matrix_a<_Float16> a;                         // 16 × 16
//     lathe::matrix_b<_Float16> b;
//     a.load(left + k, depth);
//     b.load(right + k * width, width);
//     lathe::multiply_add(sums, a, b);
//   }
//   sums.store(out, width);
//
// All items of the subgroup call each function, with the same arguments. Elements of factors: _Float16, __bf16 and
// lathe::tf32 with an accumulator of float; signed char and unsigned char with one of int, whose sums wrap around.
// Products are exact in float; the order of a sum is the hardware's.
#ifndef LATHE_DEVICE_MATRIX_H
#define LATHE_DEVICE_MATRIX_H

#include <lathe/device/abi.h>

namespace lathe {

/// The order of a matrix in memory: its rows, or its columns, one after the other.
enum class matrix_layout { rows, columns };

/// Floats as elements of factors, of which the lowest 13 bits may count or not.
struct tf32 {};

namespace detail {

/// What the elements of factors are to users, and to their products.
template <class T>
struct matrix_element;
#define LATHE_MATRIX_ELEMENT(type, name, sum, kind)                                                              \
  template <>                                                                                                    \
  struct matrix_element<type> {                                                                                  \
    using element = name;                                                                                        \
    using sum_type = sum;                                                                                        \
    static LATHE_INLINE unsigned long long multiplied(const unsigned long long (&a)[2],                          \
                                                      const unsigned long long (&b)[2],                          \
                                                      const unsigned long long (&sums)[4], unsigned number) {    \
      return __lathe_matrix_multiply_##kind(a[0], a[1], b[0], b[1], sums[0], sums[1], sums[2], sums[3], number); \
    }                                                                                                            \
  };
#ifdef __NVPTX__  // other front ends than the portable one may lack these types
LATHE_MATRIX_ELEMENT(_Float16, _Float16, float, f16)
LATHE_MATRIX_ELEMENT(__bf16, __bf16, float, bf16)
#endif
LATHE_MATRIX_ELEMENT(tf32, float, float, tf32)
LATHE_MATRIX_ELEMENT(signed char, signed char, int, s8)
LATHE_MATRIX_ELEMENT(unsigned char, unsigned char, int, u8)
#undef LATHE_MATRIX_ELEMENT

/// The device ABI's numbers of what is multiplied and summed up.
enum matrix_role : unsigned { factor_a, factor_b, sums };

/// The share of an item, of a matrix of as many words as 32 items with `most` each have.
LATHE_INLINE unsigned matrix_words(unsigned most) {
  return __lathe_subgroup_size() > 32 ? most / 2 : most;
}
LATHE_INLINE unsigned long long matrix_pair(const unsigned* words) {
  return static_cast<unsigned long long>(words[1]) << 32 | words[0];
}

template <class T, matrix_role Role>
class matrix_factor {
 public:
  using element = typename matrix_element<T>::element;
  /// Elements along the dimension that is summed over: 32 bytes.
  static constexpr unsigned depth = 32 / sizeof(element);
  static constexpr unsigned rows = Role == factor_a ? 16 : depth;
  static constexpr unsigned columns = Role == factor_a ? depth : 16;

  /// Makes all elements equal.
  LATHE_INLINE void fill(element value) {
    unsigned word = 0;
    for (unsigned j = 0; j < in_word; ++j) word |= bits_of_element(value, j);
#pragma unroll
    for (unsigned& one : words_) one = word;
  }
  /// Loads the matrix whose first element is at `from`; `stride` elements lie between the starts of two rows, or
  /// columns. Where elements of a row of A, or of a column of B, follow each other, `from` and `stride` are multiples
  /// of 4 bytes.
  LATHE_INLINE void load(const element* from, unsigned long stride, matrix_layout layout = matrix_layout::rows) {
    const bool follow = (layout == matrix_layout::rows) == (Role == factor_a);
#pragma unroll
    for (unsigned place = 0; place < 4; ++place) {
      if (place >= matrix_words(4)) break;
      const unsigned row = __lathe_matrix_row(Role, place), column = __lathe_matrix_column(Role, place);
      const unsigned long line = Role == factor_a ? row : column, first = (Role == factor_a ? column : row) * in_word;
      if (follow) {
        __builtin_memcpy(&words_[place], __builtin_assume_aligned(from + (line * stride + first), 4), 4);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        words_[place] = turned(words_[place]);
#endif
      } else {
        unsigned word = 0;
#pragma unroll
        for (unsigned j = 0; j < in_word; ++j) word |= bits_of_element(from[(first + j) * stride + line], j);
        words_[place] = word;
      }
    }
  }

  /// The item's share, as the device ABI takes it.
  LATHE_INLINE void give(unsigned long long (&pairs)[2]) const {
    pairs[0] = matrix_pair(words_);
    pairs[1] = matrix_pair(words_ + 2);
  }

 private:
  static constexpr unsigned in_word = 4 / sizeof(element);

  static LATHE_INLINE unsigned bits_of_element(element value, unsigned place) {
    if constexpr (sizeof(element) == 1) return static_cast<unsigned>(static_cast<unsigned char>(value)) << 8 * place;
    if constexpr (sizeof(element) == 2)
      return static_cast<unsigned>(__builtin_bit_cast(unsigned short, value)) << 16 * place;
    if constexpr (sizeof(element) == 4) return __builtin_bit_cast(unsigned, value);
  }

  /// The word with its elements in the other order.
  static LATHE_INLINE unsigned turned(unsigned word) {
    if constexpr (sizeof(element) == 1) return __builtin_bswap32(word);
    if constexpr (sizeof(element) == 2) return word << 16 | word >> 16;
    return word;
  }

  unsigned words_[4] = {};
};

}  // namespace detail

/// The left factor: 16 rows of 8, 16 or 32 elements of 4, 2 or 1 bytes.
template <class T>
using matrix_a = detail::matrix_factor<T, detail::factor_a>;
/// The right factor: 16 columns of as many.
template <class T>
using matrix_b = detail::matrix_factor<T, detail::factor_b>;

/// A matrix of 16 × 16 sums: float or int.
template <class T>
class accumulator {
 public:
  static_assert(__is_same(T, float) || __is_same(T, int), "sums of matrix products are of type float or int");
  static constexpr unsigned rows = 16, columns = 16;

  /// Makes all elements equal.
  LATHE_INLINE void fill(T value) {
#pragma unroll
    for (T& element : elements_) element = value;
  }
  /// Loads the matrix whose first element is at `from`; `stride` elements lie between the starts of two rows, or
  /// columns.
  LATHE_INLINE void load(const T* from, unsigned long stride, matrix_layout layout = matrix_layout::rows) {
    each([=](T& element, unsigned row, unsigned column)
             __attribute__((always_inline)) { element = from[offset(row, column, stride, layout)]; });
  }
  /// Stores it likewise.
  LATHE_INLINE void store(T* to, unsigned long stride, matrix_layout layout = matrix_layout::rows) const {
    each([=](T element, unsigned row, unsigned column)
             __attribute__((always_inline)) { to[offset(row, column, stride, layout)] = element; });
  }
  /// Calls visit(element, row, column) for each element that this item holds.
  template <class Visit>
  LATHE_INLINE void each(Visit visit) {
    each_of(elements_, visit);
  }
  template <class Visit>
  LATHE_INLINE void each(Visit visit) const {
    each_of(elements_, visit);
  }

  template <class Factor>
  friend LATHE_INLINE void multiply_add(accumulator<typename detail::matrix_element<Factor>::sum_type>& out,
                                        const detail::matrix_factor<Factor, detail::factor_a>& a,
                                        const detail::matrix_factor<Factor, detail::factor_b>& b);

 private:
  template <class Element, class Visit>
  static LATHE_INLINE void each_of(Element (&elements)[8], Visit& visit) {
#pragma unroll
    for (unsigned place = 0; place < 8; ++place)
      if (place < detail::matrix_words(8))
        visit(elements[place], __lathe_matrix_row(detail::sums, place), __lathe_matrix_column(detail::sums, place));
  }
  static LATHE_INLINE unsigned long offset(unsigned row, unsigned column, unsigned long stride, matrix_layout layout) {
    return layout == matrix_layout::rows ? row * stride + column : column * stride + row;
  }

  T elements_[8] = {};
};

/// out += a × b.
template <class Factor>
LATHE_INLINE void multiply_add(accumulator<typename detail::matrix_element<Factor>::sum_type>& out,
                               const detail::matrix_factor<Factor, detail::factor_a>& a,
                               const detail::matrix_factor<Factor, detail::factor_b>& b) {
  unsigned long long left[2], right[2], sums[4], results[4];
  a.give(left);
  b.give(right);
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    unsigned words[2];
    __builtin_memcpy(words, out.elements_ + 2 * i, 8);
    sums[i] = detail::matrix_pair(words);
  }
#pragma unroll
  for (unsigned i = 0; i < 4; ++i)
    if (2 * i < detail::matrix_words(8)) results[i] = detail::matrix_element<Factor>::multiplied(left, right, sums, i);
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    if (2 * i >= detail::matrix_words(8)) break;
    const unsigned words[2] = {static_cast<unsigned>(results[i]), static_cast<unsigned>(results[i] >> 32)};
    __builtin_memcpy(out.elements_ + 2 * i, words, 8);
  }
}

}  // namespace lathe

#endif
