// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the items of a subgroup together: shuffles of any type, votes, matches, reductions and scans, for
// subgroups of any width up to 64. A mask has a bit for each item, 64 as in the device ABI; what loops over one counts
// with as many as the subgroup may have, 32 or 64.
//
// detail has what the device ABI's shared functions do where a target has nothing better (core/device/abi.cpp).
// Scans follow Hillis and Steele ("Data parallel algorithms", CACM 1986), along the items that take part.
#ifndef LATHE_DEVICE_SUBGROUP_H
#define LATHE_DEVICE_SUBGROUP_H

#include <lathe/device/abi.h>

namespace lathe {

/// A bit for each item of a subgroup.
using item_mask = unsigned long long;

/// Operators of reductions and scans. Sums of integers wrap around.
struct plus {
  template <class T>
  LATHE_INLINE T operator()(T a, T b) const {
    if constexpr (__is_integral(T))
      return static_cast<T>(static_cast<__make_unsigned(T)>(a) + static_cast<__make_unsigned(T)>(b));
    else
      return a + b;
  }
};
#define LATHE_OPERATOR(name, ...)               \
  struct name {                                 \
    template <class T>                          \
    LATHE_INLINE T operator()(T a, T b) const { \
      return static_cast<T>(__VA_ARGS__);       \
    }                                           \
  };
LATHE_OPERATOR(minimum, b < a ? b : a)
LATHE_OPERATOR(maximum, a < b ? b : a)
LATHE_OPERATOR(bit_and, a& b)
LATHE_OPERATOR(bit_or, a | b)
LATHE_OPERATOR(bit_xor, a ^ b)
#undef LATHE_OPERATOR

namespace detail {

enum class shuffle_kind { item, up, down, exclusive_or, rotate };

template <shuffle_kind Kind>
LATHE_INLINE unsigned shuffle_word(item_mask mask, unsigned value, unsigned from, unsigned width) {
  if constexpr (Kind == shuffle_kind::item) return __lathe_shuffle_i32(mask, value, from, width);
  if constexpr (Kind == shuffle_kind::up) return __lathe_shuffle_up_i32(mask, value, from, width);
  if constexpr (Kind == shuffle_kind::down) return __lathe_shuffle_down_i32(mask, value, from, width);
  if constexpr (Kind == shuffle_kind::rotate) return __lathe_rotate_i32(mask, value, from, width);
  if constexpr (Kind == shuffle_kind::exclusive_or) return __lathe_shuffle_xor_i32(mask, value, from, width);
}

/// A shuffle of a value of any size, word by word; the last word may be partly filled.
template <shuffle_kind Kind, class T>
LATHE_INLINE T shuffle(item_mask mask, T value, unsigned from, unsigned width) {
  static_assert(__is_trivially_copyable(T), "a shuffle copies a value's bytes");
  if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(T, shuffle_word<Kind>(mask, __builtin_bit_cast(unsigned, value), from, width));
  } else {
    struct Bytes {
      unsigned char bytes[sizeof(T)];
    } out;
    unsigned words[(sizeof(T) + 3) / 4] = {};
    __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
    for (unsigned& word : words) word = shuffle_word<Kind>(mask, word, from, width);
    __builtin_memcpy(&out, words, sizeof(T));
    return __builtin_bit_cast(T, out);
  }
}

/// The bits of a value of at most 8 bytes.
template <class T>
LATHE_INLINE auto bits_of(T value) {
  static_assert(__is_trivially_copyable(T) && sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                "values of 1, 2, 4 or 8 bytes");
  if constexpr (sizeof(T) == 1) return static_cast<unsigned>(__builtin_bit_cast(unsigned char, value));
  if constexpr (sizeof(T) == 2) return static_cast<unsigned>(__builtin_bit_cast(unsigned short, value));
  if constexpr (sizeof(T) == 4) return __builtin_bit_cast(unsigned, value);
  if constexpr (sizeof(T) == 8) return __builtin_bit_cast(unsigned long long, value);
}

/// Bits of a mask: 32 where no subgroup has more items, which folds when the target is known.
template <class Mask>
inline constexpr unsigned bits_in = sizeof(Mask) * 8;

template <class Mask>
LATHE_INLINE Mask ballot(Mask mask, bool predicate) {
  return static_cast<Mask>(__lathe_ballot(mask, predicate));
}
template <class Mask>
LATHE_INLINE unsigned lowest(Mask mask) {
  return static_cast<unsigned>(__builtin_ctzg(mask));
}
template <class Mask>
LATHE_INLINE unsigned highest(Mask mask) {
  return bits_in<Mask> - 1 - static_cast<unsigned>(__builtin_clzg(mask));
}

template <class Mask, class T>
LATHE_INLINE Mask match_any_in(Mask mask, T value) {
  Mask same = 0;
  for (Mask left = ballot(mask, true); left != 0;) {  // those of the mask that have not returned
    const T candidate = shuffle<shuffle_kind::item>(mask, value, lowest(left), bits_in<Mask>);
    const Mask peers = ballot(mask, candidate == value);
    if (candidate == value) same = peers;
    left &= ~peers;
  }
  return same;
}
/// The items that pass the same bits as the caller, in one round for each different value.
template <class T>
LATHE_INLINE item_mask match_any(item_mask mask, T value) {
  if (__lathe_subgroup_size() > 32) return match_any_in(mask, value);
  return match_any_in(static_cast<unsigned>(mask), value);
}

template <class Mask, class T, class Operator>
LATHE_INLINE T reduce_in(Mask mask, T value, Operator join) {
  const Mask here = ballot(mask, true);
  // All items, or all of one half.
  const bool half = sizeof(Mask) == 8 && (here == 0xffffffffu || here == static_cast<Mask>(~0xffffffffull));
  if (half || here == static_cast<Mask>(~Mask{})) {
    const auto round = [&](unsigned distance) {
      value = join(value, shuffle<shuffle_kind::exclusive_or>(mask, value, distance, bits_in<Mask>));
    };
    if (sizeof(Mask) == 8 && !half) round(32);
#pragma unroll
    for (unsigned distance = 16; distance > 0; distance /= 2) round(distance);
    return value;
  }
  T all = shuffle<shuffle_kind::item>(mask, value, lowest(here), bits_in<Mask>);
  for (Mask left = here & (here - 1); left != 0; left &= left - 1)
    all = join(all, shuffle<shuffle_kind::item>(mask, value, lowest(left), bits_in<Mask>));
  return all;
}
/// All items' values joined: in rounds of halved distance where all 32 or 64 items take part, else one item after the
/// other.
template <class T, class Operator>
LATHE_INLINE T reduce(item_mask mask, T value, Operator join) {
  if (__lathe_subgroup_size() > 32) return reduce_in(mask, value, join);
  return reduce_in(static_cast<unsigned>(mask), value, join);
}

template <class Mask, class T, class Operator>
LATHE_INLINE T inclusive_scan_in(Mask mask, T value, Operator join) {
  constexpr unsigned nobody = bits_in<Mask>;
  const unsigned lane = __lathe_subgroup_item_id() & (nobody - 1);
  const Mask below = ballot(mask, true) & ((Mask{1} << lane) - 1);
  unsigned previous = below ? highest(below) : nobody;
  for (unsigned distance = 1; distance < bits_in<Mask>; distance *= 2) {
    const unsigned from = previous == nobody ? lane : previous;
    const T before = shuffle<shuffle_kind::item>(mask, value, from, bits_in<Mask>);
    const unsigned further = shuffle<shuffle_kind::item>(mask, previous, from, bits_in<Mask>);
    if (previous != nobody) {
      value = join(before, value);
      previous = further;
    }
  }
  return value;
}
/// The values up to the caller's joined, in rounds: each item joins what its predecessor has gathered, then that of the
/// predecessor's predecessor, so that distances double.
template <class T, class Operator>
LATHE_INLINE T inclusive_scan(item_mask mask, T value, Operator join) {
  if (__lathe_subgroup_size() > 32) return inclusive_scan_in(mask, value, join);
  return inclusive_scan_in(static_cast<unsigned>(mask), value, join);
}

template <class A, class B>
inline constexpr bool is_same = __is_same(A, B);

/// The device ABI's reduction where it has one, which may be an instruction.
template <class T, class Operator>
LATHE_INLINE T reduce_items(item_mask mask, T value, Operator join) {
  if constexpr (__is_integral(T) && sizeof(T) == 4) {
    [[maybe_unused]] constexpr bool has_sign = static_cast<T>(-1) < T{};
    const unsigned bits = static_cast<unsigned>(value);
#define LATHE_REDUCE(operation, entry, ...)                              \
  if constexpr (is_same<Operator, operation> __VA_OPT__(&&) __VA_ARGS__) \
    return static_cast<T>(__lathe_reduce_##entry##_i32(mask, bits));
    LATHE_REDUCE(plus, add)
    LATHE_REDUCE(minimum, min, has_sign)
    LATHE_REDUCE(minimum, umin, !has_sign)
    LATHE_REDUCE(maximum, max, has_sign)
    LATHE_REDUCE(maximum, umax, !has_sign)
    LATHE_REDUCE(bit_and, and)
    LATHE_REDUCE(bit_or, or)
    LATHE_REDUCE(bit_xor, xor)
#undef LATHE_REDUCE
  }
  return reduce(mask, value, join);
}

}  // namespace detail

/// A set of items of the caller's subgroup that contains the caller; bit i of `mask` stands for the item at position i.
/// All items of the set that have not returned must call a function together. Masks have 64 bits, also where subgroups
/// are narrower.
struct subgroup_t {
  item_mask mask = ~item_mask{};

  /// Items in a subgroup.
  LATHE_INLINE static unsigned size() { return __lathe_subgroup_size(); }
  /// The caller's position in it.
  LATHE_INLINE static unsigned id() { return __lathe_subgroup_item_id(); }
  /// A barrier of the set: its items arrive, and then each sees what the others wrote before.
  LATHE_INLINE void barrier() const { __lathe_subgroup_barrier(mask); }

  /// The value that item `from` passes, counted within segments of `width` (a power of two) items.
  template <class T>
  LATHE_INLINE T shuffle(T value, unsigned from, unsigned width = size()) const {
    return detail::shuffle<detail::shuffle_kind::item>(mask, value, from, width);
  }
  /// The value of the item `delta` positions before; the caller's own where its segment has no such item.
  template <class T>
  LATHE_INLINE T shuffle_up(T value, unsigned delta, unsigned width = size()) const {
    return detail::shuffle<detail::shuffle_kind::up>(mask, value, delta, width);
  }
  /// The value of the item `delta` positions behind; the caller's own where its segment has no such item.
  template <class T>
  LATHE_INLINE T shuffle_down(T value, unsigned delta, unsigned width = size()) const {
    return detail::shuffle<detail::shuffle_kind::down>(mask, value, delta, width);
  }
  /// The value of the item at position id() ^ bits, which may be in an earlier segment; the caller's own where it would
  /// be in a later one.
  template <class T>
  LATHE_INLINE T shuffle_xor(T value, unsigned bits, unsigned width = size()) const {
    return detail::shuffle<detail::shuffle_kind::exclusive_or>(mask, value, bits, width);
  }

  /// The value of the item `delta` positions behind, counted round in its segment of `width` (a power of two) items.
  template <class T>
  LATHE_INLINE T rotate(T value, unsigned delta, unsigned width = size()) const {
    return detail::shuffle<detail::shuffle_kind::rotate>(mask, value, delta, width);
  }

  /// The mask of the items that pass true.
  LATHE_INLINE item_mask ballot(bool predicate) const { return __lathe_ballot(mask, predicate); }
  /// True if an item passes true.
  LATHE_INLINE bool any(bool predicate) const { return ballot(predicate) != 0; }
  /// True if every item passes true.
  LATHE_INLINE bool all(bool predicate) const { return ballot(!predicate) == 0; }

  /// The mask of the items that pass the same bits as the caller.
  template <class T>
  LATHE_INLINE item_mask match_any(T value) const {
    const auto bits = detail::bits_of(value);
    if constexpr (sizeof(bits) == 4)
      return __lathe_match_any_i32(mask, bits);
    else
      return __lathe_match_any_i64(mask, bits);
  }
  /// The mask of all items of the set if they pass the same bits, else 0.
  template <class T>
  LATHE_INLINE item_mask match_all(T value) const {
    const auto bits = detail::bits_of(value);
    if constexpr (sizeof(bits) == 4)
      return __lathe_match_all_i32(mask, bits);
    else
      return __lathe_match_all_i64(mask, bits);
  }

  /// All items' values joined, in an unspecified order: `join` must be associative and commutative. Sums of
  /// floating-point numbers differ in rounding from one target to another.
  template <class T, class Operator = plus>
  LATHE_INLINE T reduce(T value, Operator join = {}) const {
    return detail::reduce_items(mask, value, join);
  }
  /// The values of the items up to and with the caller joined, in their order: `join` need only be associative.
  template <class T, class Operator = plus>
  LATHE_INLINE T inclusive_scan(T value, Operator join = {}) const {
    return detail::inclusive_scan(mask, value, join);
  }
  /// `first` and the values of the items before the caller joined, in this order.
  template <class T, class Operator = plus>
  LATHE_INLINE T exclusive_scan(T value, T first = {}, Operator join = {}) const {
    const T inclusive = inclusive_scan(value, join);
    const item_mask below = ballot(true) & ((item_mask{1} << id()) - 1);
    const T before = shuffle(inclusive, below ? detail::highest(below) : id());
    return below ? join(first, before) : first;
  }
};

/// The items of a mask; without one, all items of the subgroup.
LATHE_INLINE subgroup_t subgroup(item_mask mask = ~item_mask{}) {
  return {mask};
}
/// The items of the subgroup that execute this call together.
LATHE_INLINE subgroup_t active_subgroup() {
  return {__lathe_active_mask()};
}

}  // namespace lathe

#endif
