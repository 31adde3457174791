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

// The __nv_atomic functions. The order is not looked at but for `relaxed`; every scope is the whole system's.
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
LATHE_INLINE void __nv_atomic_thread_fence(int, int = __NV_THREAD_SCOPE_SYSTEM) {
  __lathe_fence(4, 4);
}
namespace lathe::detail {
LATHE_INLINE void fenceUnlessRelaxed(int order) {
  if (order != __NV_ATOMIC_RELAXED) __lathe_fence(4, 4);
}
}  // namespace lathe::detail
template <class T>
LATHE_INLINE T __nv_atomic_load_n(T* address, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  T out;
  if constexpr (sizeof(T) == 4)
    out = __builtin_bit_cast(T, __lathe_atomic_load_i32(address, 0, 4));
  else
    out = __builtin_bit_cast(T, __lathe_atomic_load_i64(address, 0, 4));
  lathe::detail::fenceUnlessRelaxed(order);
  return out;
}
template <class T>
LATHE_INLINE void __nv_atomic_load(T* address, T* out, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  *out = __nv_atomic_load_n(address, order);
}
template <class T>
LATHE_INLINE void __nv_atomic_store_n(T* address, typename lathe::detail::Operand<T>::Type value, int order,
                                      int = __NV_THREAD_SCOPE_SYSTEM) {
  lathe::detail::fenceUnlessRelaxed(order);
  if constexpr (sizeof(T) == 4)
    __lathe_atomic_store_i32(address, __builtin_bit_cast(unsigned, value), 0, 4);
  else
    __lathe_atomic_store_i64(address, __builtin_bit_cast(unsigned long, value), 0, 4);
}
template <class T>
LATHE_INLINE void __nv_atomic_store(T* address, T* value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(address, *value, order);
}
#define LATHE_CUDA_ATOMIC_FETCH(name, function)                                              \
  template <class T>                                                                         \
  LATHE_INLINE T name(T* address, typename lathe::detail::Operand<T>::Type value, int order, \
                      int = __NV_THREAD_SCOPE_SYSTEM) {                                      \
    lathe::detail::fenceUnlessRelaxed(order);                                                \
    const T out = function(address, value);                                                  \
    lathe::detail::fenceUnlessRelaxed(order);                                                \
    return out;                                                                              \
  }
LATHE_CUDA_ATOMIC_FETCH(__nv_atomic_fetch_add, atomicAdd_system)
LATHE_CUDA_ATOMIC_FETCH(__nv_atomic_fetch_sub, atomicSub_system)
LATHE_CUDA_ATOMIC_FETCH(__nv_atomic_fetch_and, atomicAnd_system)
LATHE_CUDA_ATOMIC_FETCH(__nv_atomic_fetch_or, atomicOr_system)
LATHE_CUDA_ATOMIC_FETCH(__nv_atomic_fetch_xor, atomicXor_system)
LATHE_CUDA_ATOMIC_FETCH(__nv_atomic_fetch_min, atomicMin_system)
LATHE_CUDA_ATOMIC_FETCH(__nv_atomic_fetch_max, atomicMax_system)
LATHE_CUDA_ATOMIC_FETCH(__nv_atomic_exchange_n, atomicExch_system)
#undef LATHE_CUDA_ATOMIC_FETCH
template <class T>
LATHE_INLINE bool __nv_atomic_compare_exchange_n(T* address, T* expected,
                                                 typename lathe::detail::Operand<T>::Type value, bool, int order, int,
                                                 int = __NV_THREAD_SCOPE_SYSTEM) {
  lathe::detail::fenceUnlessRelaxed(order);
  const T wanted = *expected;
  *expected = atomicCAS_system(address, wanted, value);
  lathe::detail::fenceUnlessRelaxed(order);
  return *expected == wanted;
}

#endif
