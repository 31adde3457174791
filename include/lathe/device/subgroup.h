// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the items of a subgroup together: shuffles of any type, votes, matches, reductions and scans, for
// subgroups of any width up to 64. The device ABI names 32 items by a mask, as hardware of that width does; on wider
// subgroups that is the half that the item is in, and the two halves are joined here.
//
// detail has what the device ABI's shared functions do where a target has nothing better (core/device/abi.cpp).
// Scans follow Hillis and Steele ("Data parallel algorithms", CACM 1986), along the items that take part.
#ifndef LATHE_DEVICE_SUBGROUP_H
#define LATHE_DEVICE_SUBGROUP_H

#include <lathe/device/abi.h>

namespace lathe {

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
LATHE_INLINE unsigned shuffle_word(unsigned mask, unsigned value, unsigned from, unsigned width) {
  if constexpr (Kind == shuffle_kind::item) return __lathe_shuffle_i32(mask, value, from, width);
  if constexpr (Kind == shuffle_kind::up) return __lathe_shuffle_up_i32(mask, value, from, width);
  if constexpr (Kind == shuffle_kind::down) return __lathe_shuffle_down_i32(mask, value, from, width);
  if constexpr (Kind == shuffle_kind::rotate) return __lathe_rotate_i32(mask, value, from, width);
  if constexpr (Kind == shuffle_kind::exclusive_or) return __lathe_shuffle_xor_i32(mask, value, from, width);
}

/// A shuffle of a value of any size, word by word; the last word may be partly filled.
template <shuffle_kind Kind, class T>
LATHE_INLINE T shuffle(unsigned mask, T value, unsigned from, unsigned width) {
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

/// The items that pass the same bits as the caller, in one round for each different value.
template <class T>
LATHE_INLINE unsigned match_any(unsigned mask, T value) {
  unsigned same = 0;
  for (unsigned left = __lathe_ballot(mask, 1); left != 0;) {  // those of the mask that have not returned
    const T candidate = shuffle<shuffle_kind::item>(mask, value, static_cast<unsigned>(__builtin_ctz(left)), 32);
    const unsigned peers = __lathe_ballot(mask, candidate == value);
    if (candidate == value) same = peers;
    left &= ~peers;
  }
  return same;
}

/// All items' values joined: in rounds of halved distance where all 32 items take part, else one item after the other.
template <class T, class Operator>
LATHE_INLINE T reduce(unsigned mask, T value, Operator join) {
  const unsigned here = __lathe_ballot(mask, 1);
  if (here == ~0u) {
    for (unsigned distance = 16; distance > 0; distance /= 2)
      value = join(value, shuffle<shuffle_kind::exclusive_or>(mask, value, distance, 32));
    return value;
  }
  T all = shuffle<shuffle_kind::item>(mask, value, static_cast<unsigned>(__builtin_ctz(here)), 32);
  for (unsigned left = here & (here - 1); left != 0; left &= left - 1)
    all = join(all, shuffle<shuffle_kind::item>(mask, value, static_cast<unsigned>(__builtin_ctz(left)), 32));
  return all;
}

/// The values up to the caller's joined, in rounds: each item joins what its predecessor has gathered, then that of the
/// predecessor's predecessor, so that distances double.
template <class T, class Operator>
LATHE_INLINE T inclusive_scan(unsigned mask, T value, Operator join) {
  constexpr unsigned nobody = 32;
  const unsigned here = __lathe_ballot(mask, 1), lane = __lathe_subgroup_item_id() & 31;
  const unsigned below = here & ((1u << lane) - 1);
  unsigned previous = below ? 31 - static_cast<unsigned>(__builtin_clz(below)) : nobody;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned from = previous == nobody ? lane : previous;
    const T before = shuffle<shuffle_kind::item>(mask, value, from, 32);
    const unsigned further = shuffle<shuffle_kind::item>(mask, previous, from, 32);
    if (previous != nobody) {
      value = join(before, value);
      previous = further;
    }
  }
  return value;
}

template <class A, class B>
inline constexpr bool is_same = __is_same(A, B);

/// The device ABI's reduction where it has one, which may be an instruction.
template <class T, class Operator>
LATHE_INLINE T reduce_half(unsigned mask, T value, Operator join) {
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
  unsigned long mask = ~0ul;

  /// Items in a subgroup.
  LATHE_INLINE static unsigned size() { return __lathe_subgroup_size(); }
  /// The caller's position in it.
  LATHE_INLINE static unsigned id() { return __lathe_subgroup_item_id(); }
  /// A barrier of the set: its items arrive, and then each sees what the others wrote before.
  LATHE_INLINE void barrier() const {
    __lathe_subgroup_barrier(half());
    if (size() > 32) (void)ballot(true);  // where the two halves are not in step by themselves
  }

  /// The value that item `from` passes, counted within segments of `width` (a power of two) items.
  template <class T>
  LATHE_INLINE T shuffle(T value, unsigned from, unsigned width = size()) const {
    return detail::shuffle<detail::shuffle_kind::item>(half(), value, from, width);
  }
  /// The value of the item `delta` positions before; the caller's own where its segment has no such item.
  template <class T>
  LATHE_INLINE T shuffle_up(T value, unsigned delta, unsigned width = size()) const {
    return detail::shuffle<detail::shuffle_kind::up>(half(), value, delta, width);
  }
  /// The value of the item `delta` positions behind; the caller's own where its segment has no such item.
  template <class T>
  LATHE_INLINE T shuffle_down(T value, unsigned delta, unsigned width = size()) const {
    return detail::shuffle<detail::shuffle_kind::down>(half(), value, delta, width);
  }
  /// The value of the item at position id() ^ bits; the caller's own where that is no item of its segment.
  template <class T>
  LATHE_INLINE T shuffle_xor(T value, unsigned bits, unsigned width = size()) const {
    return detail::shuffle<detail::shuffle_kind::exclusive_or>(half(), value, bits, width);
  }

  /// The value of the item `delta` positions behind, counted round in its segment of `width` (a power of two) items.
  template <class T>
  LATHE_INLINE T rotate(T value, unsigned delta, unsigned width = size()) const {
    return detail::shuffle<detail::shuffle_kind::rotate>(half(), value, delta, width);
  }

  /// The mask of the items that pass true.
  LATHE_INLINE unsigned long ballot(bool predicate) const { return __lathe_ballot_i64(mask, predicate); }
  /// True if an item passes true.
  LATHE_INLINE bool any(bool predicate) const { return ballot(predicate) != 0; }
  /// True if every item passes true.
  LATHE_INLINE bool all(bool predicate) const { return ballot(!predicate) == 0; }

  /// The mask of the items that pass the same bits as the caller.
  template <class T>
  LATHE_INLINE unsigned long match_any(T value) const {
    const auto bits = detail::bits_of(value);
    if (size() > 32) {
      unsigned long same = 0;
      for (unsigned long left = ballot(true); left != 0;) {
        const auto candidate = shuffle(bits, static_cast<unsigned>(__builtin_ctzl(left)), 64);
        const unsigned long peers = ballot(candidate == bits);
        if (candidate == bits) same = peers;
        left &= ~peers;
      }
      return same;
    }
    if constexpr (sizeof(bits) == 4)
      return __lathe_match_any_i32(half(), bits);
    else
      return __lathe_match_any_i64(half(), bits);
  }
  /// The mask of all items of the set if they pass the same bits, else 0.
  template <class T>
  LATHE_INLINE unsigned long match_all(T value) const {
    const auto bits = detail::bits_of(value);
    if (size() > 32) {
      const unsigned long here = ballot(true);
      const auto first = shuffle(bits, static_cast<unsigned>(__builtin_ctzl(here)), 64);
      return all(first == bits) ? here : 0;
    }
    if constexpr (sizeof(bits) == 4)
      return __lathe_match_all_i32(half(), bits);
    else
      return __lathe_match_all_i64(half(), bits);
  }

  /// All items' values joined, in an unspecified order: `join` must be associative and commutative. Sums of
  /// floating-point numbers differ in rounding from one target to another.
  template <class T, class Operator = plus>
  LATHE_INLINE T reduce(T value, Operator join = {}) const {
    T all = detail::reduce_half(half(), value, join);
    if (size() > 32) {
      const unsigned mine = id() & 32;
      const auto other = static_cast<unsigned>(ballot(true) >> (mine ^ 32));
      if (other != 0) {
        const T theirs = shuffle(all, (mine ^ 32) + static_cast<unsigned>(__builtin_ctz(other)), 64);
        all = mine ? join(theirs, all) : join(all, theirs);
      }
    }
    return all;
  }
  /// The values of the items up to and with the caller joined, in their order: `join` need only be associative.
  template <class T, class Operator = plus>
  LATHE_INLINE T inclusive_scan(T value, Operator join = {}) const {
    T out = detail::inclusive_scan(half(), value, join);
    if (size() > 32) {
      const unsigned long here = ballot(true);
      const auto lower = static_cast<unsigned>(here);
      if (lower != 0 && here >> 32 != 0) {
        const T total = shuffle(out, 31 - static_cast<unsigned>(__builtin_clz(lower)), 64);
        if (id() >= 32) out = join(total, out);
      }
    }
    return out;
  }
  /// `first` and the values of the items before the caller joined, in this order.
  template <class T, class Operator = plus>
  LATHE_INLINE T exclusive_scan(T value, T first = {}, Operator join = {}) const {
    const T inclusive = inclusive_scan(value, join);
    const unsigned long below = ballot(true) & ((1ul << id()) - 1);
    const T before = shuffle(inclusive, below ? 63 - static_cast<unsigned>(__builtin_clzl(below)) : id());
    return below ? join(first, before) : first;
  }

 private:
  /// The mask as the device ABI has it.
  LATHE_INLINE unsigned half() const { return static_cast<unsigned>(mask >> (id() & 32)); }
};

/// The items of a mask; without one, all items of the subgroup.
LATHE_INLINE subgroup_t subgroup(unsigned long mask = ~0ul) {
  return {mask};
}
/// The items of the subgroup that execute this call together.
LATHE_INLINE subgroup_t active_subgroup() {
  return {subgroup_t::size() > 32 ? __lathe_ballot_i64(~0ul, 1) : __lathe_active_mask()};
}

}  // namespace lathe

#endif
