// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations with order and scope (docs/memory-model.md). Arithmetic works on integers of 8 to 64 bits, on float
// and double, and on 16-bit floating-point numbers, alone or in pairs. Loads, stores and exchanges work by the bits of
// any trivially copyable type of those sizes and, where the hardware can, of 128 bits. An operation for which a target
// has no instruction is a loop around compare and exchange.
#ifndef LATHE_DEVICE_ATOMIC_H
#define LATHE_DEVICE_ATOMIC_H

#include <lathe/device/abi.h>

namespace lathe {

enum class order : int { relaxed = 0, acquire = 1, release = 2, acq_rel = 3, seq_cst = 4 };
enum class scope : int { item = 0, subgroup = 1, group = 2, device = 3, system = 4 };

/// Orders this item's memory accesses for the items in scope `S`.
template <order O = order::seq_cst, scope S = scope::device>
LATHE_INLINE void fence() {
  __lathe_fence(int(O), int(S));
}

namespace detail {

/// The integer type that the device ABI takes for `Size` bytes.
template <unsigned long Size>
struct atomic_bits;
template <>
struct atomic_bits<1> {
  using type = unsigned char;
};
template <>
struct atomic_bits<2> {
  using type = unsigned short;
};
template <>
struct atomic_bits<4> {
  using type = unsigned;
};
template <>
struct atomic_bits<8> {
  using type = unsigned long long;
};

#ifdef __SIZEOF_INT128__
template <>
struct atomic_bits<16> {
  using type = unsigned __int128;
};
#endif

template <class T>
struct same {
  using type = T;
};
/// Keeps a parameter out of template argument deduction.
template <class T>
using same_t = typename same<T>::type;

}  // namespace detail

// The entry of the width of T, with `bits` for its type; the arguments go between pointer and order.
#define LATHE_ATOMIC_CALL(entry, ...)                                                        \
  [[maybe_unused]] typedef typename detail::atomic_bits<sizeof(T)>::type bits;               \
  if constexpr (sizeof(T) == 1)                                                              \
    return __builtin_bit_cast(T, __lathe_atomic_##entry##_i8(__VA_ARGS__, int(O), int(S)));  \
  else if constexpr (sizeof(T) == 2)                                                         \
    return __builtin_bit_cast(T, __lathe_atomic_##entry##_i16(__VA_ARGS__, int(O), int(S))); \
  else if constexpr (sizeof(T) == 4)                                                         \
    return __builtin_bit_cast(T, __lathe_atomic_##entry##_i32(__VA_ARGS__, int(O), int(S))); \
  else                                                                                       \
    return __builtin_bit_cast(T, __lathe_atomic_##entry##_i64(__VA_ARGS__, int(O), int(S)));

// The integer operations. Each returns the old value; all are relaxed and device-wide unless told otherwise.
#define LATHE_ATOMIC(op, signed_entry, unsigned_entry)                         \
  template <order O = order::relaxed, scope S = scope::device, class T>        \
  LATHE_INLINE T atomic_##op(T* pointer, detail::same_t<T> value) {            \
    static_assert(__is_integral(T), "no such atomic operation for this type"); \
    if constexpr (static_cast<T>(-1) < T{}) {                                  \
      LATHE_ATOMIC_CALL(signed_entry, pointer, static_cast<bits>(value))       \
    } else {                                                                   \
      LATHE_ATOMIC_CALL(unsigned_entry, pointer, static_cast<bits>(value))     \
    }                                                                          \
  }
LATHE_ATOMIC(add, add, add)
LATHE_ATOMIC(sub, sub, sub)
LATHE_ATOMIC(and, and, and)
LATHE_ATOMIC(or, or, or)
LATHE_ATOMIC(xor, xor, xor)
LATHE_ATOMIC(min, min, umin)
LATHE_ATOMIC(max, max, umax)
#undef LATHE_ATOMIC

// The operations of floating-point numbers. Of a number and a NaN, minimum and maximum take the number.
#define LATHE_ATOMIC(op, type, suffix)                                     \
  template <order O = order::relaxed, scope S = scope::device>             \
  LATHE_INLINE type atomic_##op(type* pointer, type value) {               \
    return __lathe_atomic_##op##_##suffix(pointer, value, int(O), int(S)); \
  }
LATHE_ATOMIC(add, float, f32)
LATHE_ATOMIC(add, double, f64)
LATHE_ATOMIC(min, float, f32)
LATHE_ATOMIC(min, double, f64)
LATHE_ATOMIC(max, float, f32)
LATHE_ATOMIC(max, double, f64)
#undef LATHE_ATOMIC

// As LATHE_ATOMIC_CALL, for operations that also exist for 16 bytes: exchange, and compare and exchange.
#define LATHE_ATOMIC_CALL_BITS(entry, ...)                                                               \
  static_assert(sizeof(T) < 16 || alignof(T) >= 16, "atomics of 16 bytes want them aligned to as many"); \
  if constexpr (sizeof(T) == 16) {                                                                       \
    typedef typename detail::atomic_bits<sizeof(T)>::type bits;                                          \
    return __builtin_bit_cast(T, __lathe_atomic_##entry##_i128(__VA_ARGS__, int(O), int(S)));            \
  } else {                                                                                               \
    LATHE_ATOMIC_CALL(entry, __VA_ARGS__)                                                                \
  }

/// Stores and returns the old value.
template <order O = order::relaxed, scope S = scope::device, class T>
LATHE_INLINE T atomic_exchange(T* pointer, detail::same_t<T> value) {
  LATHE_ATOMIC_CALL_BITS(exchange, pointer, __builtin_bit_cast(bits, value))
}
/// Stores `desired` if the value is `expected`, bit for bit; returns the old value either way.
template <order O = order::relaxed, scope S = scope::device, class T>
LATHE_INLINE T atomic_compare_exchange(T* pointer, detail::same_t<T> expected, detail::same_t<T> desired) {
  LATHE_ATOMIC_CALL_BITS(cas, pointer, __builtin_bit_cast(bits, expected), __builtin_bit_cast(bits, desired))
}
/// Returns the value. A load of 16 bytes is a compare and exchange, so the memory must not be read-only.
template <order O = order::seq_cst, scope S = scope::device, class T>
LATHE_INLINE T atomic_load(const T* pointer) {
  if constexpr (sizeof(T) == 16) {
    const T zero = __builtin_bit_cast(T, typename detail::atomic_bits<sizeof(T)>::type{});
    return atomic_compare_exchange<O, S>(const_cast<T*>(pointer), zero, zero);
  } else {
    LATHE_ATOMIC_CALL(load, const_cast<T*>(pointer))
  }
}
/// Stores `value`; one of 16 bytes by an exchange.
template <order O = order::seq_cst, scope S = scope::device, class T>
LATHE_INLINE void atomic_store(T* pointer, detail::same_t<T> value) {
  const auto raw = __builtin_bit_cast(typename detail::atomic_bits<sizeof(T)>::type, value);
  if constexpr (sizeof(T) == 1) __lathe_atomic_store_i8(pointer, raw, int(O), int(S));
  if constexpr (sizeof(T) == 2) __lathe_atomic_store_i16(pointer, raw, int(O), int(S));
  if constexpr (sizeof(T) == 4) __lathe_atomic_store_i32(pointer, raw, int(O), int(S));
  if constexpr (sizeof(T) == 8) __lathe_atomic_store_i64(pointer, raw, int(O), int(S));
  if constexpr (sizeof(T) == 16) (void)atomic_exchange<O, S>(pointer, value);
}
#undef LATHE_ATOMIC_CALL_BITS
#undef LATHE_ATOMIC_CALL

/// Stores change(value) for whatever the value is then, and returns the old one: the loop around compare and exchange
/// for operations that have no function here. `change` may be called more than once.
template <order O = order::relaxed, scope S = scope::device, class T, class Change>
LATHE_INLINE T atomic_update(T* pointer, Change change) {
  using bits = typename detail::atomic_bits<sizeof(T)>::type;
  T seen = atomic_load<order::relaxed, S>(pointer);
  for (;;) {
    const T old = atomic_compare_exchange<O, S>(pointer, seen, change(seen));
    if (__builtin_bit_cast(bits, old) == __builtin_bit_cast(bits, seen)) return old;
    seen = old;
  }
}

// Only the portable front end is sure to have the types: with `frontend: native` the triple is the target's own.
#ifdef __NVPTX__

/// Two numbers of 16 bits in one word.
typedef _Float16 half2 __attribute__((ext_vector_type(2)));
typedef __bf16 bf16x2 __attribute__((ext_vector_type(2)));

namespace detail {

/// Rounded to nearest, ties to even; what is not a number stays so.
LATHE_INLINE unsigned short to_bf16(float x) {
  const unsigned bits = __builtin_bit_cast(unsigned, x);
  if (x != x) return static_cast<unsigned short>(bits >> 16 | 0x40);
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
LATHE_INLINE float from_bf16(unsigned bits) {
  return __builtin_bit_cast(float, bits << 16);
}
LATHE_INLINE unsigned short add_bf16(unsigned a, unsigned b) {
  return to_bf16(from_bf16(a & 0xffff) + from_bf16(b & 0xffff));
}
LATHE_INLINE unsigned short add_half(unsigned a, unsigned b) {
  const float sum = static_cast<float>(__builtin_bit_cast(_Float16, static_cast<unsigned short>(a))) +
                    static_cast<float>(__builtin_bit_cast(_Float16, static_cast<unsigned short>(b)));
  return __builtin_bit_cast(unsigned short, static_cast<_Float16>(sum));
}

/// A sum of 16-bit numbers: the instruction that NVIDIA GPUs have from `Arch` on, relaxed and device-wide or for the
/// whole system, between fences where the order is stronger. Elsewhere the loop around compare and exchange, whose sums
/// are the same: rounded once, denormals kept.
#define LATHE_ATOMIC_SMALL(name, suffix, arch, constraint, type, change)                           \
  template <order O, scope S>                                                                      \
  LATHE_INLINE type name(type* pointer, type value) {                                              \
    if (__lathe_target_is("cuda") && __lathe_arch_at_least(arch)) {                                \
      if constexpr (O != order::relaxed) fence<O, S>();                                            \
      type old;                                                                                    \
      if constexpr (S == scope::system)                                                            \
        asm volatile("atom.sys.add.noftz." suffix " %0, [%1], %2;"                                 \
                     : "=" constraint(old)                                                         \
                     : "l"(pointer), constraint(value)                                             \
                     : "memory");                                                                  \
      else                                                                                         \
        asm volatile("atom.add.noftz." suffix " %0, [%1], %2;"                                     \
                     : "=" constraint(old)                                                         \
                     : "l"(pointer), constraint(value)                                             \
                     : "memory");                                                                  \
      if constexpr (O != order::relaxed) fence<O, S>();                                            \
      return old;                                                                                  \
    }                                                                                              \
    return atomic_update<O, S>(pointer, [value](type seen) { return static_cast<type>(change); }); \
  }
LATHE_ATOMIC_SMALL(atomic_add_f16, "f16", 70, "h", unsigned short, add_half(seen, value))
LATHE_ATOMIC_SMALL(atomic_add_bf16, "bf16", 90, "h", unsigned short, add_bf16(seen, value))
LATHE_ATOMIC_SMALL(atomic_add_f16x2, "f16x2", 60, "r", unsigned,
                   add_half(seen, value) | static_cast<unsigned>(add_half(seen >> 16, value >> 16)) << 16)
LATHE_ATOMIC_SMALL(atomic_add_bf16x2, "bf16x2", 90, "r", unsigned,
                   add_bf16(seen, value) | static_cast<unsigned>(add_bf16(seen >> 16, value >> 16)) << 16)
#undef LATHE_ATOMIC_SMALL

}  // namespace detail

// Sums of 16-bit numbers. A pair is two additions in one word: nobody sees one without the other except on NVIDIA GPUs,
// which promise that for each number alone.
#define LATHE_ATOMIC(type, entry, bits)                                                                                \
  template <order O = order::relaxed, scope S = scope::device>                                                         \
  LATHE_INLINE type atomic_add(type* pointer, type value) {                                                            \
    return __builtin_bit_cast(type,                                                                                    \
                              detail::entry<O, S>(reinterpret_cast<bits*>(pointer), __builtin_bit_cast(bits, value))); \
  }
LATHE_ATOMIC(_Float16, atomic_add_f16, unsigned short)
LATHE_ATOMIC(__bf16, atomic_add_bf16, unsigned short)
LATHE_ATOMIC(half2, atomic_add_f16x2, unsigned)
LATHE_ATOMIC(bf16x2, atomic_add_bf16x2, unsigned)
#undef LATHE_ATOMIC

#endif

}  // namespace lathe

#endif
