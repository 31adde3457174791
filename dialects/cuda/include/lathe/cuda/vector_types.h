// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// char1 … double4 with CUDA's layout, make_char1 … make_double4, and dim3. Vectors of two and four are aligned to their
// size, at most 16 bytes, so that one becomes one memory access; vectors of three are aligned as their element.
#ifndef LATHE_CUDA_VECTOR_TYPES_H
#define LATHE_CUDA_VECTOR_TYPES_H

#include <lathe/cuda/qualifiers.h>

// Dialects on top of this one may bring types of their own.
#ifndef LATHE_CUDA_VECTOR_TYPES
#define LATHE_CUDA_CHAR signed char
#define LATHE_CUDA_VECTOR_TYPES(name, element)                                    \
  struct name##1 {                                                                \
    element x;                                                                    \
  };                                                                              \
  struct __align__(2 * sizeof(element)) name##2 {                                 \
    element x, y;                                                                 \
  };                                                                              \
  struct name##3 {                                                                \
    element x, y, z;                                                              \
  };                                                                              \
  struct __align__(4 * sizeof(element) < 16 ? 4 * sizeof(element) : 16) name##4 { \
    element x, y, z, w;                                                           \
  };
#endif
#define LATHE_CUDA_VECTORS(name, element)                                              \
  LATHE_CUDA_VECTOR_TYPES(name, element)                                               \
  LATHE_CUDA_BOTH name##1 make_##name##1(element x) {                                  \
    return name##1 {x};                                                                \
  }                                                                                    \
  LATHE_CUDA_BOTH name##2 make_##name##2(element x, element y) {                       \
    return {x, y};                                                                     \
  }                                                                                    \
  LATHE_CUDA_BOTH name##3 make_##name##3(element x, element y, element z) {            \
    return {x, y, z};                                                                  \
  }                                                                                    \
  LATHE_CUDA_BOTH name##4 make_##name##4(element x, element y, element z, element w) { \
    return {x, y, z, w};                                                               \
  }

LATHE_CUDA_VECTORS(char, LATHE_CUDA_CHAR)
LATHE_CUDA_VECTORS(uchar, unsigned char)
LATHE_CUDA_VECTORS(short, short)
LATHE_CUDA_VECTORS(ushort, unsigned short)
LATHE_CUDA_VECTORS(int, int)
LATHE_CUDA_VECTORS(uint, unsigned)
LATHE_CUDA_VECTORS(long, long)
LATHE_CUDA_VECTORS(ulong, unsigned long)
LATHE_CUDA_VECTORS(longlong, long long)
LATHE_CUDA_VECTORS(ulonglong, unsigned long long)
LATHE_CUDA_VECTORS(float, float)
LATHE_CUDA_VECTORS(double, double)
#undef LATHE_CUDA_VECTORS
#undef LATHE_CUDA_VECTOR_TYPES
#undef LATHE_CUDA_CHAR

// CUDA 13's names of vectors of 32 bytes, by their alignment.
#define LATHE_CUDA_ALIGNED(name, element, bytes)                                                             \
  struct __align__(bytes) name##4_##bytes##a {                                                               \
    element x, y, z, w;                                                                                      \
  };                                                                                                         \
  LATHE_CUDA_BOTH name##4_##bytes##a make_##name##4_##bytes##a(element x, element y, element z, element w) { \
    return {x, y, z, w};                                                                                     \
  }
#define LATHE_CUDA_BOTH_ALIGNMENTS(name, element) \
  LATHE_CUDA_ALIGNED(name, element, 16)           \
  LATHE_CUDA_ALIGNED(name, element, 32)
LATHE_CUDA_BOTH_ALIGNMENTS(long, long)
LATHE_CUDA_BOTH_ALIGNMENTS(ulong, unsigned long)
LATHE_CUDA_BOTH_ALIGNMENTS(longlong, long long)
LATHE_CUDA_BOTH_ALIGNMENTS(ulonglong, unsigned long long)
LATHE_CUDA_BOTH_ALIGNMENTS(double, double)
#undef LATHE_CUDA_BOTH_ALIGNMENTS
#undef LATHE_CUDA_ALIGNED

namespace lathe::detail {
template <unsigned (*X)(), unsigned (*Y)(), unsigned (*Z)()>
struct BuiltinVector;
}

/// Extents of a grid or a group; what is left out is 1.
struct dim3 {
  unsigned x, y, z;
  LATHE_CUDA_BOTH constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  LATHE_CUDA_BOTH constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  // Of its own, because threadIdx reaches both constructors above by way of uint3.
  template <unsigned (*X)(), unsigned (*Y)(), unsigned (*Z)()>
  LATHE_CUDA_BOTH dim3(const lathe::detail::BuiltinVector<X, Y, Z>&) : x(X()), y(Y()), z(Z()) {}
  LATHE_CUDA_BOTH constexpr operator uint3() const { return {x, y, z}; }
};

// The names that C libraries on Linux give to every program.
typedef __SIZE_TYPE__ size_t;
typedef unsigned short ushort;
typedef unsigned uint;
typedef unsigned long ulong;
// glibc's own names for types, which its headers give to everybody.
typedef signed char __int8_t;
typedef unsigned char __uint8_t;
typedef short __int16_t;
typedef unsigned short __uint16_t;
typedef int __int32_t;
typedef unsigned __uint32_t;
typedef long __int64_t;
typedef unsigned long __uint64_t;
typedef decltype(nullptr) nullptr_t;

#endif
