// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For device code: products of matrices (the device ABI's group `matrix`) by shuffles, for elements that hardware has
// no instruction for, whatever order a target's instructions give the words.
//
// A layout says which words an item holds. Every one has to hold the accumulator's words of one place in rows that find
// their words of A in one place, and the same for columns and B:
//
//   row(matrix, place), column(matrix, place)   the word that this item holds there
//   placeOfA(sum, k), itemOfA(row, k)           where word k of A is, for the accumulator's place `sum` and its row
//   placeOfB(sum, k), itemOfB(column, k)        the same of B
#ifndef LATHE_SDK_DEVICE_MATRIX_H
#define LATHE_SDK_DEVICE_MATRIX_H

#include <lathe/device/abi.h>

#define LATHE_MATRIX_INLINE inline __attribute__((always_inline, convergent))

namespace lathe_matrix {

/// Two words, the first in the low half.
using Pair = unsigned long long;
enum Matrix : unsigned { factorA, factorB, accumulator };

LATHE_MATRIX_INLINE Pair pairOf(unsigned first, unsigned second) {
  return static_cast<Pair>(second) << 32 | first;
}
LATHE_MATRIX_INLINE unsigned wordOf(Pair pair, unsigned place) {
  return static_cast<unsigned>(place % 2 != 0 ? pair >> 32 : pair);
}
LATHE_MATRIX_INLINE unsigned wordOf(Pair first, Pair second, unsigned place) {
  return wordOf(place < 2 ? first : second, place);
}
/// One of four pairs, by a constant number.
LATHE_MATRIX_INLINE Pair chosen(Pair first, Pair second, Pair third, Pair fourth, unsigned number) {
  return number == 0 ? first : number == 1 ? second : number == 2 ? third : fourth;
}

/// Words lie over the items row by row.
struct Rows {
  static LATHE_MATRIX_INLINE unsigned row(unsigned matrix, unsigned place) {
    return index(place) / (matrix == factorA ? 8 : 16);
  }
  static LATHE_MATRIX_INLINE unsigned column(unsigned matrix, unsigned place) {
    return index(place) % (matrix == factorA ? 8 : 16);
  }
  // A shuffle takes an item's number modulo the subgroup's size.
  static LATHE_MATRIX_INLINE unsigned placeOfA(unsigned sum, unsigned) { return sum / 2; }
  static LATHE_MATRIX_INLINE unsigned itemOfA(unsigned row, unsigned k) { return row * 8 + k; }
  static LATHE_MATRIX_INLINE unsigned placeOfB(unsigned, unsigned k) { return k * 16 / __lathe_subgroup_size(); }
  static LATHE_MATRIX_INLINE unsigned itemOfB(unsigned column, unsigned k) { return k * 16 + column; }

 private:
  static LATHE_MATRIX_INLINE unsigned index(unsigned place) {
    return place * __lathe_subgroup_size() + __lathe_subgroup_item_id();
  }
};

// What a word of each factor adds to the accumulator's.
template <class Element>
LATHE_MATRIX_INLINE float elementOf(unsigned word, unsigned number) {
  return static_cast<float>(__builtin_bit_cast(Element, static_cast<unsigned short>(word >> 16 * number)));
}
struct AddHalves {
  LATHE_MATRIX_INLINE unsigned operator()(unsigned a, unsigned b, unsigned sum) const {
    const float out = __builtin_bit_cast(float, sum) + elementOf<_Float16>(a, 0) * elementOf<_Float16>(b, 0);
    return __builtin_bit_cast(unsigned, out + elementOf<_Float16>(a, 1) * elementOf<_Float16>(b, 1));
  }
};
/// A bfloat16 is a float's upper half.
struct AddBfloats {
  LATHE_MATRIX_INLINE unsigned operator()(unsigned a, unsigned b, unsigned sum) const {
    const float out = __builtin_bit_cast(float, sum) + low(a) * low(b);
    return __builtin_bit_cast(unsigned, out + high(a) * high(b));
  }

 private:
  static LATHE_MATRIX_INLINE float low(unsigned word) { return __builtin_bit_cast(float, word << 16); }
  static LATHE_MATRIX_INLINE float high(unsigned word) { return __builtin_bit_cast(float, word & 0xffff0000U); }
};
struct AddFloats {
  LATHE_MATRIX_INLINE unsigned operator()(unsigned a, unsigned b, unsigned sum) const {
    return __builtin_bit_cast(
        unsigned, __builtin_bit_cast(float, sum) + __builtin_bit_cast(float, a) * __builtin_bit_cast(float, b));
  }
};
/// Bytes of type Byte.
template <class Byte>
struct AddBytes {
  LATHE_MATRIX_INLINE unsigned operator()(unsigned a, unsigned b, unsigned sum) const {
    return sum + product(a, b, 0) + product(a, b, 8) + product(a, b, 16) + product(a, b, 24);
  }

 private:
  static LATHE_MATRIX_INLINE unsigned product(unsigned a, unsigned b, unsigned shift) {
    return static_cast<unsigned>(static_cast<Byte>(a >> shift) * static_cast<Byte>(b >> shift));
  }
};

/// The pair `number` of the accumulator's words after the product. The loop stays one: on targets whose items are loops
/// a shuffle is a barrier, and a kernel multiplies many matrices.
template <class Layout, class Add>
LATHE_MATRIX_INLINE Pair multiplied(Pair a0, Pair a1, Pair b0, Pair b1, Pair c0, Pair c1, Pair c2, Pair c3,
                                    unsigned number) {
  const Pair sums = chosen(c0, c1, c2, c3, number);
  const unsigned place = 2 * number;
  const unsigned row0 = Layout::row(accumulator, place), row1 = Layout::row(accumulator, place + 1),
                 column0 = Layout::column(accumulator, place), column1 = Layout::column(accumulator, place + 1);
  const auto get = [](Pair first, Pair second, unsigned from, unsigned item) __attribute__((always_inline)) {
    return __lathe_shuffle_i32(~0ULL, wordOf(first, second, from), item, __lathe_subgroup_size());
  };
  auto first = static_cast<unsigned>(sums), second = static_cast<unsigned>(sums >> 32);
#pragma clang loop unroll(disable)
  for (unsigned k = 0; k < 8; ++k) {
    const unsigned left0 = get(a0, a1, Layout::placeOfA(place, k), Layout::itemOfA(row0, k));
    const unsigned right0 = get(b0, b1, Layout::placeOfB(place, k), Layout::itemOfB(column0, k));
    first = Add{}(left0, right0, first);
    const unsigned left1 = get(a0, a1, Layout::placeOfA(place + 1, k), Layout::itemOfA(row1, k));
    const unsigned right1 = get(b0, b1, Layout::placeOfB(place + 1, k), Layout::itemOfB(column1, k));
    second = Add{}(left1, right1, second);
  }
  return pairOf(first, second);
}

}  // namespace lathe_matrix

/// The head of the entry of one kind: pairs of words of A, of B and of the accumulator, and the number of the pair that
/// it returns.
#define LATHE_MATRIX_ENTRY(kind)                                                                                   \
  extern "C" __attribute__((always_inline, convergent)) unsigned long long __lathe_matrix_multiply_##kind(         \
      unsigned long long a0, unsigned long long a1, unsigned long long b0, unsigned long long b1,                  \
      unsigned long long c0, unsigned long long c1, unsigned long long c2, unsigned long long c3, unsigned number) \
      LATHE_ABI_NOEXCEPT

#endif
