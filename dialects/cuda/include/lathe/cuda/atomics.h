// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's atomic functions: relaxed, returning the old value, for observers on the device, in the block (_block) or in
// the whole system (_system). One template for all types of a function, because a template that nobody calls costs a
// compile least; T comes from the pointer alone, so that `atomicAdd(&x, 1)` works for a float x.
#ifndef LATHE_CUDA_ATOMICS_H
#define LATHE_CUDA_ATOMICS_H

#include <lathe/cuda/qualifiers.h>

namespace lathe::detail {
template <class T>
struct Operand {
  using Type = T;
};
}  // namespace lathe::detail

// What the device ABI takes: 32 or 64 bits without a sign.
#define LATHE_CUDA_ATOMIC_INTEGER(entry, scope)                                                                   \
  static_assert(__is_integral(T) && (sizeof(T) == 4 || sizeof(T) == 8), "no such atomic function for this type"); \
  if constexpr (sizeof(T) == 4)                                                                                   \
    return static_cast<T>(__lathe_atomic_##entry##_i32(address, static_cast<unsigned>(value), 0, scope));         \
  else                                                                                                            \
    return static_cast<T>(__lathe_atomic_##entry##_i64(address, static_cast<unsigned long>(value), 0, scope));

// Any type of 16 bytes, by its bits.
#define LATHE_CUDA_ATOMIC_WIDE    \
  typedef unsigned __int128 bits; \
  static_assert(__is_trivially_copyable(T) && alignof(T) >= 16, "no such atomic function for this type");

namespace lathe::detail {
template <int Scope, class T>
LATHE_INLINE T compareAndSwap(T* address, T compare, T value) {
  static_assert(__is_integral(T) && sizeof(T) > 1 && sizeof(T) <= 8, "no atomicCAS for this type");
  if constexpr (sizeof(T) == 2)
    return static_cast<T>(__lathe_atomic_cas_i16(address, static_cast<unsigned short>(compare),
                                                 static_cast<unsigned short>(value), 0, Scope));
  else if constexpr (sizeof(T) == 4)
    return static_cast<T>(
        __lathe_atomic_cas_i32(address, static_cast<unsigned>(compare), static_cast<unsigned>(value), 0, Scope));
  else
    return static_cast<T>(__lathe_atomic_cas_i64(address, static_cast<unsigned long>(compare),
                                                 static_cast<unsigned long>(value), 0, Scope));
}
}  // namespace lathe::detail

#define LATHE_CUDA_ATOMIC(name, ...)                                                \
  template <class T>                                                                \
  LATHE_INLINE T name(T* address, typename lathe::detail::Operand<T>::Type value) { \
    __VA_ARGS__                                                                     \
  }

#define LATHE_CUDA_ATOMIC_ORDERED(name, entry, scope) \
  LATHE_CUDA_ATOMIC(                                  \
      name, if constexpr (static_cast<T>(-1) < T{}) { \
        LATHE_CUDA_ATOMIC_INTEGER(entry, scope)       \
      } else {LATHE_CUDA_ATOMIC_INTEGER(u##entry, scope)})

#define LATHE_CUDA_ATOMICS(suffix, scope)                                                                            \
  LATHE_CUDA_ATOMIC(                                                                                                 \
      atomicAdd##suffix,                                                                                             \
      if constexpr (__is_same(T, float)) {                                                                           \
        return __lathe_atomic_add_f32(address, value, 0, scope);                                                     \
      } else if constexpr (__is_same(T, double)) {                                                                   \
        return __lathe_atomic_add_f64(address, value, 0, scope);                                                     \
      } else {LATHE_CUDA_ATOMIC_INTEGER(add, scope)})                                                                \
  LATHE_CUDA_ATOMIC(                                                                                                 \
      atomicExch##suffix,                                                                                            \
      if constexpr (__is_same(T, float)) {                                                                           \
        const unsigned bits = __builtin_bit_cast(unsigned, value);                                                   \
        return __builtin_bit_cast(float, __lathe_atomic_exchange_i32(address, bits, 0, scope));                      \
      } else if constexpr (sizeof(T) == 16) {                                                                        \
        LATHE_CUDA_ATOMIC_WIDE                                                                                       \
        return __builtin_bit_cast(T,                                                                                 \
                                  __lathe_atomic_exchange_i128(address, __builtin_bit_cast(bits, value), 0, scope)); \
      } else {LATHE_CUDA_ATOMIC_INTEGER(exchange, scope)})                                                           \
  LATHE_CUDA_ATOMIC(atomicSub##suffix, LATHE_CUDA_ATOMIC_INTEGER(sub, scope))                                        \
  LATHE_CUDA_ATOMIC(atomicAnd##suffix, LATHE_CUDA_ATOMIC_INTEGER(and, scope))                                        \
  LATHE_CUDA_ATOMIC(atomicOr##suffix, LATHE_CUDA_ATOMIC_INTEGER(or, scope))                                          \
  LATHE_CUDA_ATOMIC(atomicXor##suffix, LATHE_CUDA_ATOMIC_INTEGER(xor, scope))                                        \
  LATHE_CUDA_ATOMIC_ORDERED(atomicMin##suffix, min, scope)                                                           \
  LATHE_CUDA_ATOMIC_ORDERED(atomicMax##suffix, max, scope)                                                           \
  LATHE_INLINE unsigned atomicInc##suffix(unsigned* address, unsigned value) {                                       \
    return __lathe_atomic_inc_i32(address, value, 0, scope);                                                         \
  }                                                                                                                  \
  LATHE_INLINE unsigned atomicDec##suffix(unsigned* address, unsigned value) {                                       \
    return __lathe_atomic_dec_i32(address, value, 0, scope);                                                         \
  }                                                                                                                  \
  template <class T>                                                                                                 \
  LATHE_INLINE T atomicCAS##suffix(T* address, typename lathe::detail::Operand<T>::Type compare,                     \
                                   typename lathe::detail::Operand<T>::Type value) {                                 \
    if constexpr (sizeof(T) == 16) {                                                                                 \
      LATHE_CUDA_ATOMIC_WIDE                                                                                         \
      return __builtin_bit_cast(T, __lathe_atomic_cas_i128(address, __builtin_bit_cast(bits, compare),               \
                                                           __builtin_bit_cast(bits, value), 0, scope));              \
    } else {                                                                                                         \
      return lathe::detail::compareAndSwap<scope>(address, compare, value);                                          \
    }                                                                                                                \
  }

LATHE_CUDA_ATOMICS(_block, 2)
LATHE_CUDA_ATOMICS(, 3)
LATHE_CUDA_ATOMICS(_system, 4)

#undef LATHE_CUDA_ATOMIC
#undef LATHE_CUDA_ATOMIC_WIDE
#undef LATHE_CUDA_ATOMIC_INTEGER
#undef LATHE_CUDA_ATOMIC_ORDERED
#undef LATHE_CUDA_ATOMICS

#endif
