// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every maker of a vector type: the members in their order, at the addresses that CUDA's layout gives them.
#define MAKE(name, element)                                                                               \
  __global__ void make_##name(const element* in, name##1 * one, name##2 * two, name##3 * three, name##4 * four) { \
    const element* const p = in + 4 * threadIdx.x;                                                        \
    one[threadIdx.x] = make_##name##1(p[0]);                                                              \
    two[threadIdx.x] = make_##name##2(p[1], p[0]);                                                        \
    three[threadIdx.x] = make_##name##3(p[2], p[1], p[0]);                                                \
    four[threadIdx.x] = make_##name##4(p[3], p[2], p[1], p[0]);                                           \
  }
MAKE(char, signed char)
MAKE(uchar, unsigned char)
MAKE(short, short)
MAKE(ushort, unsigned short)
MAKE(int, int)
MAKE(uint, unsigned)
MAKE(long, long)
MAKE(ulong, unsigned long)
MAKE(longlong, long long)
MAKE(ulonglong, unsigned long long)
MAKE(float, float)
MAKE(double, double)

#define MAKE_ALIGNED(name, element)                                                                                      \
  __global__ void make_aligned_##name(const element* in, name##4_16a * narrow, name##4_32a * wide) {                     \
    static_assert(alignof(name##4_16a) == 16 && alignof(name##4_32a) == 32);                                             \
    const element* const p = in + 4 * threadIdx.x;                                                                       \
    narrow[threadIdx.x] = make_##name##4_16a(p[3], p[2], p[1], p[0]);                                                    \
    wide[threadIdx.x] = make_##name##4_32a(p[3], p[2], p[1], p[0]);                                                      \
  }
MAKE_ALIGNED(long, long)
MAKE_ALIGNED(ulong, unsigned long)
MAKE_ALIGNED(longlong, long long)
MAKE_ALIGNED(ulonglong, unsigned long long)
MAKE_ALIGNED(double, double)
