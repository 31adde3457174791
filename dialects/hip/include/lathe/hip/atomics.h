// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP's atomic functions beside CUDA's: __hip_atomic_*, with an order and a scope, on what <cuda/atomic> is made of;
// minima and maxima of floating-point numbers; additions that may be unsafe on memory of the host's, which here are the
// plain ones.
#ifndef LATHE_HIP_ATOMICS_H
#define LATHE_HIP_ATOMICS_H

#include <lathe/cuda/atomics.h>
#include <lathe/cuda/ordered_atomics.h>

#ifndef __HIP_MEMORY_SCOPE_SINGLETHREAD
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#define __HIP_MEMORY_SCOPE_CLUSTER 6
#endif

namespace lathe::detail {

/// The device ABI's number of one of HIP's scopes, of which a cluster is the device's.
constexpr int scopeOfHip(int scope) {
  return scope == __HIP_MEMORY_SCOPE_CLUSTER ? 3 : scope - 1;
}
template <class T>
using Plain = __remove_cv(T);

template <class T>
LATHE_INLINE bool hipExchangeIf(T* address, T* expected, T wanted, int order, int scope) {
  const T found = orderedCas(address, *expected, wanted, order, scope);
  const bool done = __builtin_bit_cast(Bits<T>, found) == __builtin_bit_cast(Bits<T>, *expected);
  *expected = found;
  return done;
}

}  // namespace lathe::detail

// Clang has builtins of these names, which lose the scope off AMD's GPUs.
#define LATHE_HIP_PLAIN(address) lathe::detail::Plain<__remove_reference_t(decltype(*(address)))>
#define LATHE_HIP_ORDER(order, scope) lathe::detail::abiOrder(order), lathe::detail::scopeOfHip(scope)
#define LATHE_HIP_CALL(function, address, value, order, scope)            \
  lathe::detail::function(const_cast<LATHE_HIP_PLAIN(address)*>(address), \
                          static_cast<LATHE_HIP_PLAIN(address)>(value), LATHE_HIP_ORDER(order, scope))
#define __hip_atomic_load(address, order, scope) \
  lathe::detail::orderedLoad(const_cast<LATHE_HIP_PLAIN(address)*>(address), LATHE_HIP_ORDER(order, scope))
#define __hip_atomic_store(address, value, order, scope) LATHE_HIP_CALL(orderedStore, address, value, order, scope)
#define __hip_atomic_exchange(address, value, order, scope) \
  LATHE_HIP_CALL(orderedExchange, address, value, order, scope)
#define __hip_atomic_fetch_add(address, value, order, scope) LATHE_HIP_CALL(orderedAdd, address, value, order, scope)
#define __hip_atomic_fetch_sub(address, value, order, scope) LATHE_HIP_CALL(orderedSub, address, value, order, scope)
#define __hip_atomic_fetch_and(address, value, order, scope) LATHE_HIP_CALL(orderedAnd, address, value, order, scope)
#define __hip_atomic_fetch_or(address, value, order, scope) LATHE_HIP_CALL(orderedOr, address, value, order, scope)
#define __hip_atomic_fetch_xor(address, value, order, scope) LATHE_HIP_CALL(orderedXor, address, value, order, scope)
#define __hip_atomic_fetch_min(address, value, order, scope) LATHE_HIP_CALL(orderedMin, address, value, order, scope)
#define __hip_atomic_fetch_max(address, value, order, scope) LATHE_HIP_CALL(orderedMax, address, value, order, scope)
#define __hip_atomic_compare_exchange_strong(address, expected, value, success, failure, scope) \
  lathe::detail::hipExchangeIf(const_cast<LATHE_HIP_PLAIN(address)*>(address), expected,        \
                               static_cast<LATHE_HIP_PLAIN(address)>(value),                    \
                               LATHE_HIP_ORDER(lathe::detail::strongerOrder(success, failure), scope))
#define __hip_atomic_compare_exchange_weak __hip_atomic_compare_exchange_strong

#define LATHE_HIP_ADD(name)                                                         \
  template <class T>                                                                \
  LATHE_INLINE T name(T* address, typename lathe::detail::Operand<T>::Type value) { \
    return atomicAdd(address, value);                                               \
  }
LATHE_HIP_ADD(unsafeAtomicAdd)
LATHE_HIP_ADD(safeAtomicAdd)
#undef LATHE_HIP_ADD
LATHE_INLINE void atomicAddNoRet(float* address, float value) {
  (void)atomicAdd(address, value);
}

// Overloads beside the templates of CUDA's, which take integers.
#define LATHE_HIP_ATOMIC(name, entry, type, suffix, scope)              \
  LATHE_INLINE type name(type* address, type value) {                   \
    return __lathe_atomic_##entry##_##suffix(address, value, 0, scope); \
  }
#define LATHE_HIP_ATOMICS(type, suffix)                    \
  LATHE_HIP_ATOMIC(atomicMin, min, type, suffix, 3)        \
  LATHE_HIP_ATOMIC(atomicMax, max, type, suffix, 3)        \
  LATHE_HIP_ATOMIC(atomicMin_system, min, type, suffix, 4) \
  LATHE_HIP_ATOMIC(atomicMax_system, max, type, suffix, 4) \
  LATHE_HIP_ATOMIC(unsafeAtomicMin, min, type, suffix, 3)  \
  LATHE_HIP_ATOMIC(unsafeAtomicMax, max, type, suffix, 3)  \
  LATHE_HIP_ATOMIC(safeAtomicMin, min, type, suffix, 3)    \
  LATHE_HIP_ATOMIC(safeAtomicMax, max, type, suffix, 3)    \
  LATHE_INLINE type atomicSub(type* address, type value) { \
    return atomicAdd(address, -value);                     \
  }
LATHE_HIP_ATOMICS(float, f32)
LATHE_HIP_ATOMICS(double, f64)
#undef LATHE_HIP_ATOMICS
#undef LATHE_HIP_ATOMIC

#endif
