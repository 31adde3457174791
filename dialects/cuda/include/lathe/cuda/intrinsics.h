// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer intrinsics: bit counts, byte permutation, wide products, averages; and addresses as inline PTX takes them.
#ifndef LATHE_CUDA_INTRINSICS_H
#define LATHE_CUDA_INTRINSICS_H

#include <lathe/cuda/qualifiers.h>
#include <lathe/cuda/vector_types.h>

LATHE_INLINE int __popc(unsigned x) {
  return __builtin_popcount(x);
}
LATHE_INLINE int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
LATHE_INLINE int __clz(int x) {
  return __builtin_clzg(static_cast<unsigned>(x), 32);
}
LATHE_INLINE int __clzll(long long x) {
  return __builtin_clzg(static_cast<unsigned long long>(x), 64);
}
LATHE_INLINE int __ffs(int x) {
  if (__lathe_target_is("cuda")) {
    int highest;
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(highest) : "r"(__builtin_bitreverse32(static_cast<unsigned>(x))));
    return highest + 1;
  }
  return __builtin_ffs(x);
}
LATHE_INLINE int __ffsll(long long x) {
  return __builtin_ffsll(x);
}
LATHE_INLINE unsigned __brev(unsigned x) {
  return __builtin_bitreverse32(x);
}
LATHE_INLINE unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}

/// The 32 bits of high:low that a shift by `shift` brings into the upper (l) or lower (r) half: modulo 32, or clamped
/// (c).
LATHE_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return __builtin_elementwise_fshl(high, low, shift);
}
LATHE_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return __builtin_elementwise_fshr(high, low, shift);
}
#define LATHE_CUDA_CLAMPED_SHIFT(direction)                                                           \
  if (__lathe_target_is("cuda")) {                                                                    \
    unsigned out;                                                                                     \
    asm("shf." direction ".clamp.b32 %0, %1, %2, %3;" : "=r"(out) : "r"(low), "r"(high), "r"(shift)); \
    return out;                                                                                       \
  }
LATHE_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  LATHE_CUDA_CLAMPED_SHIFT("l")
  return shift < 32 ? __builtin_elementwise_fshl(high, low, shift) : low;
}
LATHE_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  LATHE_CUDA_CLAMPED_SHIFT("r")
  return shift < 32 ? __builtin_elementwise_fshr(high, low, shift) : high;
}
#undef LATHE_CUDA_CLAMPED_SHIFT

/// Four of the eight bytes of y:x, one for each of the lowest four nibbles of `selector`, of which three bits count.
LATHE_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  if (__lathe_target_is("cuda")) return static_cast<unsigned>(__nvvm_prmt(x, y, selector & 0x7777));
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  const auto at = [=](unsigned i) {
    return static_cast<unsigned>(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  };
  return at(0) | at(1) | at(2) | at(3);
}

LATHE_INLINE int __mulhi(int x, int y) {
  return static_cast<int>(static_cast<long long>(x) * y >> 32);
}
LATHE_INLINE unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
}
LATHE_INLINE long long __mul64hi(long long x, long long y) {
  return static_cast<long long>(static_cast<__int128>(x) * y >> 64);
}
LATHE_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(x) * y >> 64);
}
/// The lower half of the product of the lowest 24 bits.
LATHE_INLINE unsigned __umul24(unsigned x, unsigned y) {
  return (x & 0xffffffu) * (y & 0xffffffu);
}
LATHE_INLINE int __mul24(int x, int y) {
  const int a = static_cast<int>(static_cast<unsigned>(x) << 8) >> 8;
  const int b = static_cast<int>(static_cast<unsigned>(y) << 8) >> 8;
  return static_cast<int>(static_cast<unsigned>(a) * static_cast<unsigned>(b));
}

/// |x - y| + z; the difference of two ints may need all 32 bits.
LATHE_INLINE unsigned __usad(unsigned x, unsigned y, unsigned z) {
  if (__lathe_target_is("cuda")) return __nvvm_sad_ui(x, y, z);
  return (x > y ? x - y : y - x) + z;
}
LATHE_INLINE unsigned __sad(int x, int y, unsigned z) {
  if (__lathe_target_is("cuda")) return static_cast<unsigned>(__nvvm_sad_i(x, y, static_cast<int>(z)));
  const unsigned difference = static_cast<unsigned>(x) - static_cast<unsigned>(y);
  return (x > y ? difference : 0u - difference) + z;
}

/// Averages without overflow, rounded down and (r) up.
LATHE_INLINE int __hadd(int x, int y) {
  return (x & y) + ((x ^ y) >> 1);
}
LATHE_INLINE int __rhadd(int x, int y) {
  return (x | y) - ((x ^ y) >> 1);
}
LATHE_INLINE unsigned __uhadd(unsigned x, unsigned y) {
  return (x & y) + ((x ^ y) >> 1);
}
LATHE_INLINE unsigned __urhadd(unsigned x, unsigned y) {
  return (x | y) - ((x ^ y) >> 1);
}

/// Dot products of four bytes, or of two halves (lo, hi) and two bytes, added to c.
#define LATHE_CUDA_DOT_INSTRUCTION(type, name)                         \
  if (__lathe_target_is("cuda") && __lathe_arch_at_least(61)) {        \
    type out;                                                          \
    asm(name " %0, %1, %2, %3;" : "=r"(out) : "r"(a), "r"(b), "r"(c)); \
    return out;                                                        \
  }
#define LATHE_CUDA_DOT(type, byte, half, ptx)                                                                    \
  LATHE_INLINE type __dp4a(type a, type b, type c) {                                                             \
    LATHE_CUDA_DOT_INSTRUCTION(type, "dp4a." ptx "." ptx)                                                        \
    for (int i = 0; i < 32; i += 8)                                                                              \
      c += static_cast<type>(static_cast<byte>(a >> i)) * static_cast<type>(static_cast<byte>(b >> i));          \
    return c;                                                                                                    \
  }                                                                                                              \
  LATHE_INLINE type __dp2a_lo(type a, type b, type c) {                                                          \
    LATHE_CUDA_DOT_INSTRUCTION(type, "dp2a.lo." ptx "." ptx)                                                     \
    for (int i = 0; i < 2; ++i)                                                                                  \
      c += static_cast<type>(static_cast<half>(a >> 16 * i)) * static_cast<type>(static_cast<byte>(b >> 8 * i)); \
    return c;                                                                                                    \
  }                                                                                                              \
  LATHE_INLINE type __dp2a_hi(type a, type b, type c) {                                                          \
    LATHE_CUDA_DOT_INSTRUCTION(type, "dp2a.hi." ptx "." ptx)                                                     \
    return __dp2a_lo(a, static_cast<type>(b >> 16), c);                                                          \
  }
LATHE_CUDA_DOT(int, signed char, short, "s32")
LATHE_CUDA_DOT(unsigned, unsigned char, unsigned short, "u32")
#undef LATHE_CUDA_DOT_INSTRUCTION
#undef LATHE_CUDA_DOT
// The same words as vectors.
#define LATHE_CUDA_DOT_OF(word, char4, short2)                                     \
  LATHE_INLINE word __dp4a(char4 a, char4 b, word c) {                             \
    return __dp4a(__builtin_bit_cast(word, a), __builtin_bit_cast(word, b), c);    \
  }                                                                                \
  LATHE_INLINE word __dp2a_lo(short2 a, char4 b, word c) {                         \
    return __dp2a_lo(__builtin_bit_cast(word, a), __builtin_bit_cast(word, b), c); \
  }                                                                                \
  LATHE_INLINE word __dp2a_hi(short2 a, char4 b, word c) {                         \
    return __dp2a_hi(__builtin_bit_cast(word, a), __builtin_bit_cast(word, b), c); \
  }
LATHE_CUDA_DOT_OF(int, char4, short2)
LATHE_CUDA_DOT_OF(unsigned, uchar4, ushort2)
#undef LATHE_CUDA_DOT_OF

// Addresses within a group's shared memory, as inline PTX takes them.
LATHE_INLINE unsigned long __cvta_generic_to_shared(const void* pointer) {
  return reinterpret_cast<unsigned long>((const __attribute__((address_space(3))) void*)pointer);
}
// NVVM's own, which programs declare.
extern "C" LATHE_INLINE unsigned __nvvm_get_smem_pointer(void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}
LATHE_INLINE void* __cvta_shared_to_generic(unsigned long address) {
  return (void*)reinterpret_cast<__attribute__((address_space(3))) void*>(address);
}
// Memory that an address is of; for NVIDIA GPUs, as other machines cannot tell. The compiler answers where it knows.
#define LATHE_CUDA_IS(name, space)                  \
  LATHE_INLINE unsigned name(const void* pointer) { \
    return __nvvm_isspacep_##space(pointer);        \
  }
LATHE_CUDA_IS(__isGlobal, global)
LATHE_CUDA_IS(__isShared, shared)
LATHE_CUDA_IS(__isConstant, const)
LATHE_CUDA_IS(__isLocal, local)
LATHE_CUDA_IS(__isClusterShared, shared_cluster)
#undef LATHE_CUDA_IS
LATHE_INLINE unsigned __isGridConstant(const void* pointer) {
  unsigned yes;
  asm("{ .reg .pred p;\n\tisspacep.param p, %1;\n\tselp.u32 %0, 1, 0, p; }" : "=r"(yes) : "l"(pointer));
  return yes;
}
// Local, constant and parameter memory as inline PTX takes it.
#define LATHE_CUDA_CONVERTED(space, ptx)                                      \
  LATHE_INLINE unsigned long __cvta_generic_to_##space(const void* pointer) { \
    unsigned long out;                                                        \
    asm("cvta.to." ptx ".u64 %0, %1;" : "=l"(out) : "l"(pointer));            \
    return out;                                                               \
  }                                                                           \
  LATHE_INLINE void* __cvta_##space##_to_generic(unsigned long address) {     \
    void* out;                                                                \
    asm("cvta." ptx ".u64 %0, %1;" : "=l"(out) : "l"(address));               \
    return out;                                                               \
  }
LATHE_CUDA_CONVERTED(local, "local")
LATHE_CUDA_CONVERTED(constant, "const")
LATHE_CUDA_CONVERTED(grid_constant, "param")
#undef LATHE_CUDA_CONVERTED
/// A hint that libcu++ gives of how memory will be used: with PTX, accesses behind the address that is returned have
/// that policy of the second-level cache (targets/cuda/cache_policies.h).
LATHE_INLINE void* __nv_associate_access_property(const void* pointer, unsigned long long policy) {
  if (!__lathe_target_is("cuda") || !__lathe_arch_at_least(80)) return const_cast<void*>(pointer);
  __attribute__((address_space(1))) void* out;  // global memory
  asm("mov.b64 %0, %1; // cache policy %2" : "=l"(out) : "l"(pointer), "l"(policy));
  return (void*)out;
}
// Global memory has the same addresses.
LATHE_INLINE unsigned long __cvta_generic_to_global(const void* pointer) {
  return reinterpret_cast<unsigned long>(pointer);
}
LATHE_INLINE void* __cvta_global_to_generic(unsigned long address) {
  return reinterpret_cast<void*>(address);
}

#endif
