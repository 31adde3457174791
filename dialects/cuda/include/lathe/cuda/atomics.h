// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's atomic functions: relaxed, returning the old value, for observers on the device, in the block (_block) or in the
// whole system (_system). Macros and not templates: an int may convert to the operand's type but never to the pointer's.
#ifndef LATHE_CUDA_ATOMICS_H
#define LATHE_CUDA_ATOMICS_H

#include <lathe/cuda/qualifiers.h>

// `bits` is the type in which the device ABI takes the operand, `entry` the ABI's name of operation and width.
#define LATHE_CUDA_ATOMIC(name, type, bits, entry, scope)                            \
  LATHE_INLINE type name(type* address, type value) {                                \
    return static_cast<type>(__lathe_atomic_##entry(address, static_cast<bits>(value), 0, scope)); \
  }
#define LATHE_CUDA_ATOMIC_CAS(name, type, bits, entry, scope)                                                \
  LATHE_INLINE type name(type* address, type compare, type value) {                                          \
    return static_cast<type>(                                                                                \
        __lathe_atomic_##entry(address, static_cast<bits>(compare), static_cast<bits>(value), 0, scope));    \
  }

#define LATHE_CUDA_ATOMIC_32(name, entry, scope)                       \
  LATHE_CUDA_ATOMIC(name, int, unsigned, entry##_i32, scope)           \
  LATHE_CUDA_ATOMIC(name, unsigned, unsigned, entry##_i32, scope)
#define LATHE_CUDA_ATOMIC_ANY_SIGN(name, entry, scope)                               \
  LATHE_CUDA_ATOMIC_32(name, entry, scope)                                           \
  LATHE_CUDA_ATOMIC(name, unsigned long long, unsigned long, entry##_i64, scope)
#define LATHE_CUDA_ATOMIC_ORDERED(name, entry, scope)                                \
  LATHE_CUDA_ATOMIC(name, int, unsigned, entry##_i32, scope)                         \
  LATHE_CUDA_ATOMIC(name, unsigned, unsigned, u##entry##_i32, scope)                 \
  LATHE_CUDA_ATOMIC(name, long long, unsigned long, entry##_i64, scope)              \
  LATHE_CUDA_ATOMIC(name, unsigned long long, unsigned long, u##entry##_i64, scope)

#define LATHE_CUDA_ATOMICS(suffix, scope)                                                                       \
  LATHE_CUDA_ATOMIC_ANY_SIGN(atomicAdd##suffix, add, scope)                                                     \
  LATHE_CUDA_ATOMIC(atomicAdd##suffix, float, float, add_f32, scope)                                            \
  LATHE_CUDA_ATOMIC(atomicAdd##suffix, double, double, add_f64, scope)                                          \
  LATHE_CUDA_ATOMIC_32(atomicSub##suffix, sub, scope)                                                           \
  LATHE_CUDA_ATOMIC_ORDERED(atomicMin##suffix, min, scope)                                                      \
  LATHE_CUDA_ATOMIC_ORDERED(atomicMax##suffix, max, scope)                                                      \
  LATHE_CUDA_ATOMIC_ANY_SIGN(atomicAnd##suffix, and, scope)                                                     \
  LATHE_CUDA_ATOMIC_ANY_SIGN(atomicOr##suffix, or, scope)                                                       \
  LATHE_CUDA_ATOMIC_ANY_SIGN(atomicXor##suffix, xor, scope)                                                     \
  LATHE_CUDA_ATOMIC_ANY_SIGN(atomicExch##suffix, exchange, scope)                                               \
  LATHE_INLINE float atomicExch##suffix(float* address, float value) {                                          \
    const unsigned bits = __builtin_bit_cast(unsigned, value);                                                  \
    return __builtin_bit_cast(float, __lathe_atomic_exchange_i32(address, bits, 0, scope));                     \
  }                                                                                                             \
  LATHE_CUDA_ATOMIC_CAS(atomicCAS##suffix, int, unsigned, cas_i32, scope)                                       \
  LATHE_CUDA_ATOMIC_CAS(atomicCAS##suffix, unsigned, unsigned, cas_i32, scope)                                  \
  LATHE_CUDA_ATOMIC_CAS(atomicCAS##suffix, unsigned long long, unsigned long, cas_i64, scope)                   \
  LATHE_CUDA_ATOMIC(atomicInc##suffix, unsigned, unsigned, inc_i32, scope)                                      \
  LATHE_CUDA_ATOMIC(atomicDec##suffix, unsigned, unsigned, dec_i32, scope)

LATHE_CUDA_ATOMICS(_block, 2)
LATHE_CUDA_ATOMICS(, 3)
LATHE_CUDA_ATOMICS(_system, 4)

#undef LATHE_CUDA_ATOMIC
#undef LATHE_CUDA_ATOMIC_CAS
#undef LATHE_CUDA_ATOMIC_32
#undef LATHE_CUDA_ATOMIC_ANY_SIGN
#undef LATHE_CUDA_ATOMIC_ORDERED
#undef LATHE_CUDA_ATOMICS

#endif
