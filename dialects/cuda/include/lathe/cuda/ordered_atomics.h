// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics with an order and a scope that the caller names: nvcc's __nv_atomic functions (CUDA C++ Programming Guide,
// "Built-in atomic functions") and the operations that <cuda/atomic> is made of. Orders and scopes are arguments of the
// device ABI, constant once the functions here are inlined; where they are not, Lathe chooses at run time.
#ifndef LATHE_CUDA_ORDERED_ATOMICS_H
#define LATHE_CUDA_ORDERED_ATOMICS_H

#include <lathe/cuda/qualifiers.h>

namespace lathe::detail {

template <unsigned Size>
struct AtomicBits {
  using Type = unsigned;
};
template <>
struct AtomicBits<1> {
  using Type = unsigned char;
};
template <>
struct AtomicBits<2> {
  using Type = unsigned short;
};
template <>
struct AtomicBits<8> {
  using Type = unsigned long;
};
template <>
struct AtomicBits<16> {
  using Type = unsigned __int128;
};

/// The unsigned integer of T's size.
template <class T>
using Bits = typename AtomicBits<sizeof(T)>::Type;

/// The device ABI's number of one of C++'s orders, of which consume is acquire.
LATHE_INLINE constexpr int abiOrder(int order) {
  return order - (order > 1);
}
/// The order of a compare and exchange that is as strong as both of those named (C++'s numbers).
LATHE_INLINE constexpr int strongerOrder(int success, int failure) {
  const bool acquires = failure == 1 || failure == 2;
  if (failure == 5) return 5;
  if (acquires && success == 3) return 4;
  return acquires && success == 0 ? 2 : success;
}

// `order` and `scope` are the device ABI's from here on.
#define LATHE_ATOMIC_SIZED(entry, ...)                                                                  \
  if constexpr (sizeof(T) == 1)                                                                         \
    return __builtin_bit_cast(T, __lathe_atomic_##entry##_i8(address, __VA_ARGS__ order, scope));       \
  else if constexpr (sizeof(T) == 2)                                                                    \
    return __builtin_bit_cast(T, __lathe_atomic_##entry##_i16(address, __VA_ARGS__ order, scope));      \
  else if constexpr (sizeof(T) == 4)                                                                    \
    return __builtin_bit_cast(T, __lathe_atomic_##entry##_i32(address, __VA_ARGS__ order, scope));      \
  else                                                                                                  \
    return __builtin_bit_cast(T, __lathe_atomic_##entry##_i64(address, __VA_ARGS__ order, scope));
#define LATHE_ATOMIC_CHECK(sizes) \
  static_assert(__is_trivially_copyable(T) && (sizes), "no such atomic operation for this type");
#define LATHE_ATOMIC_SMALL (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8)
#define LATHE_ATOMIC_ANY (LATHE_ATOMIC_SMALL || (sizeof(T) == 16 && alignof(T) >= 16))

template <class T>
LATHE_INLINE T orderedLoad(const T* object, int order, int scope) {
  LATHE_ATOMIC_CHECK(LATHE_ATOMIC_ANY)
  T* const address = const_cast<T*>(object);
  if constexpr (sizeof(T) == 16)
    return __builtin_bit_cast(T, __lathe_atomic_cas_i128(address, 0, 0, order, scope));
  else
    LATHE_ATOMIC_SIZED(load)
}
template <class T>
LATHE_INLINE void orderedStore(T* address, T value, int order, int scope) {
  LATHE_ATOMIC_CHECK(LATHE_ATOMIC_ANY)
  const Bits<T> bits = __builtin_bit_cast(Bits<T>, value);
  if constexpr (sizeof(T) == 1)
    __lathe_atomic_store_i8(address, bits, order, scope);
  else if constexpr (sizeof(T) == 2)
    __lathe_atomic_store_i16(address, bits, order, scope);
  else if constexpr (sizeof(T) == 4)
    __lathe_atomic_store_i32(address, bits, order, scope);
  else if constexpr (sizeof(T) == 8)
    __lathe_atomic_store_i64(address, bits, order, scope);
  else
    (void)__lathe_atomic_exchange_i128(address, bits, order, scope);
}
template <class T>
LATHE_INLINE T orderedExchange(T* address, T value, int order, int scope) {
  LATHE_ATOMIC_CHECK(LATHE_ATOMIC_ANY)
  const Bits<T> bits = __builtin_bit_cast(Bits<T>, value);
  if constexpr (sizeof(T) == 16)
    return __builtin_bit_cast(T, __lathe_atomic_exchange_i128(address, bits, order, scope));
  else
    LATHE_ATOMIC_SIZED(exchange, bits, )
}
/// Returns what was there, which equals `compare` where `value` was stored.
template <class T>
LATHE_INLINE T orderedCas(T* address, T compare, T value, int order, int scope) {
  LATHE_ATOMIC_CHECK(LATHE_ATOMIC_ANY)
  const Bits<T> wanted = __builtin_bit_cast(Bits<T>, compare), bits = __builtin_bit_cast(Bits<T>, value);
  if constexpr (sizeof(T) == 16)
    return __builtin_bit_cast(T, __lathe_atomic_cas_i128(address, wanted, bits, order, scope));
  else
    LATHE_ATOMIC_SIZED(cas, wanted, bits, )
}

#define LATHE_ATOMIC_INTEGER(name, entry)                                  \
  template <class T>                                                       \
  LATHE_INLINE T name(T* address, T value, int order, int scope) {         \
    LATHE_ATOMIC_CHECK(LATHE_ATOMIC_SMALL && !__is_floating_point(T))      \
    const Bits<T> bits = __builtin_bit_cast(Bits<T>, value);               \
    LATHE_ATOMIC_SIZED(entry, bits, )                                      \
  }
LATHE_ATOMIC_INTEGER(integerAdd, add)
LATHE_ATOMIC_INTEGER(integerSub, sub)
LATHE_ATOMIC_INTEGER(integerMin, min)
LATHE_ATOMIC_INTEGER(integerMax, max)
LATHE_ATOMIC_INTEGER(integerUmin, umin)
LATHE_ATOMIC_INTEGER(integerUmax, umax)
LATHE_ATOMIC_INTEGER(orderedAnd, and)
LATHE_ATOMIC_INTEGER(orderedOr, or)
LATHE_ATOMIC_INTEGER(orderedXor, xor)

template <class T>
LATHE_INLINE T orderedAdd(T* address, T value, int order, int scope) {
  if constexpr (__is_same(T, float))
    return __lathe_atomic_add_f32(address, value, order, scope);
  else if constexpr (__is_same(T, double))
    return __lathe_atomic_add_f64(address, value, order, scope);
  else
    return integerAdd(address, value, order, scope);
}
template <class T>
LATHE_INLINE T orderedSub(T* address, T value, int order, int scope) {
  if constexpr (__is_floating_point(T))
    return orderedAdd(address, -value, order, scope);
  else
    return integerSub(address, value, order, scope);
}
#define LATHE_ATOMIC_ORDERED(name, entry, signedName, unsignedName)         \
  template <class T>                                                        \
  LATHE_INLINE T name(T* address, T value, int order, int scope) {          \
    if constexpr (__is_same(T, float))                                      \
      return __lathe_atomic_##entry##_f32(address, value, order, scope);    \
    else if constexpr (__is_same(T, double))                                \
      return __lathe_atomic_##entry##_f64(address, value, order, scope);    \
    else if constexpr (static_cast<T>(-1) < T{})                            \
      return signedName(address, value, order, scope);                      \
    else                                                                    \
      return unsignedName(address, value, order, scope);                    \
  }
LATHE_ATOMIC_ORDERED(orderedMin, min, integerMin, integerUmin)
LATHE_ATOMIC_ORDERED(orderedMax, max, integerMax, integerUmax)

#undef LATHE_ATOMIC_SIZED
#undef LATHE_ATOMIC_CHECK
#undef LATHE_ATOMIC_SMALL
#undef LATHE_ATOMIC_ANY
#undef LATHE_ATOMIC_INTEGER
#undef LATHE_ATOMIC_ORDERED

/// The device ABI's number of a scope of nvcc's. It has none for a cluster: all of the device observes.
LATHE_INLINE constexpr int abiScope(int scope) {
  return scope == 1 ? 2 : scope == 2 ? 3 : scope;
}

}  // namespace lathe::detail

#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

#define LATHE_NV_HOW lathe::detail::abiOrder(order), lathe::detail::abiScope(scope)
LATHE_INLINE void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __lathe_fence(LATHE_NV_HOW);
}
template <class T>
LATHE_INLINE T __nv_atomic_load_n(T* address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return lathe::detail::orderedLoad(address, LATHE_NV_HOW);
}
template <class T>
LATHE_INLINE void __nv_atomic_load(T* address, T* out, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *out = __nv_atomic_load_n(address, order, scope);
}
template <class T>
LATHE_INLINE void __nv_atomic_store_n(T* address, typename lathe::detail::Operand<T>::Type value, int order,
                                      int scope = __NV_THREAD_SCOPE_SYSTEM) {
  lathe::detail::orderedStore(address, value, LATHE_NV_HOW);
}
template <class T>
LATHE_INLINE void __nv_atomic_store(T* address, T* value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(address, *value, order, scope);
}
template <class T>
LATHE_INLINE T __nv_atomic_exchange_n(T* address, typename lathe::detail::Operand<T>::Type value, int order,
                                      int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return lathe::detail::orderedExchange(address, value, LATHE_NV_HOW);
}
template <class T>
LATHE_INLINE void __nv_atomic_exchange(T* address, T* value, T* out, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *out = __nv_atomic_exchange_n(address, *value, order, scope);
}
template <class T>
LATHE_INLINE bool __nv_atomic_compare_exchange_n(T* address, T* expected,
                                                 typename lathe::detail::Operand<T>::Type value, bool, int success,
                                                 int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  const int order = lathe::detail::strongerOrder(success, failure);
  const T wanted = *expected;
  *expected = lathe::detail::orderedCas(address, wanted, T(value), LATHE_NV_HOW);
  using Bits = lathe::detail::Bits<T>;
  return __builtin_bit_cast(Bits, *expected) == __builtin_bit_cast(Bits, wanted);
}
template <class T>
LATHE_INLINE bool __nv_atomic_compare_exchange(T* address, T* expected, T* value, bool weak, int success, int failure,
                                               int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(address, expected, *value, weak, success, failure, scope);
}
#define LATHE_NV_ATOMIC(name, operation)                                                              \
  template <class T>                                                                                  \
  LATHE_INLINE T __nv_atomic_fetch_##name(T* address, typename lathe::detail::Operand<T>::Type value, \
                                          int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {          \
    return lathe::detail::operation(address, value, LATHE_NV_HOW);                                    \
  }                                                                                                   \
  template <class T>                                                                                  \
  LATHE_INLINE void __nv_atomic_##name(T* address, typename lathe::detail::Operand<T>::Type value,    \
                                       int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {             \
    (void)lathe::detail::operation(address, value, LATHE_NV_HOW);                                     \
  }
LATHE_NV_ATOMIC(add, orderedAdd)
LATHE_NV_ATOMIC(sub, orderedSub)
LATHE_NV_ATOMIC(and, orderedAnd)
LATHE_NV_ATOMIC(or, orderedOr)
LATHE_NV_ATOMIC(xor, orderedXor)
LATHE_NV_ATOMIC(min, orderedMin)
LATHE_NV_ATOMIC(max, orderedMax)
#undef LATHE_NV_ATOMIC
#undef LATHE_NV_HOW

#endif
