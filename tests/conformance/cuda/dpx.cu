// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's functions for dynamic programming, all of them on the same operands.
__global__ void all(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  const int x = static_cast<int>(a), y = static_cast<int>(b), z = static_cast<int>(c);
  unsigned* const to = out + 40 * i;
  int k = 0;
#define WORDS(name)                                              \
  to[k++] = static_cast<unsigned>(name##_s32(x, y, z));          \
  to[k++] = name##_u32(a, b, c);                                 \
  to[k++] = name##_s16x2(a, b, c);                               \
  to[k++] = name##_u16x2(a, b, c);                               \
  to[k++] = static_cast<unsigned>(name##_s32_relu(x, y, z));     \
  to[k++] = name##_s16x2_relu(a, b, c);
  WORDS(__viaddmax)
  WORDS(__viaddmin)
  WORDS(__vimax3)
  WORDS(__vimin3)
  to[k++] = static_cast<unsigned>(__vimax_s32_relu(x, y));
  to[k++] = static_cast<unsigned>(__vimin_s32_relu(x, y));
  to[k++] = __vimax_s16x2_relu(a, b);
  to[k++] = __vimin_s16x2_relu(a, b);
  bool one = false, high = false, low = false;
#define CHOICE(name)                                                                       \
  to[k++] = static_cast<unsigned>(name##_s32(x, y, &one)) ^ (one ? 1u : 0);                \
  to[k++] = name##_u32(a, b, &one) ^ (one ? 1u : 0);                                       \
  to[k++] = name##_s16x2(a, b, &high, &low) ^ (high ? 0x10000u : 0) ^ (low ? 1u : 0);      \
  to[k++] = name##_u16x2(a, b, &high, &low) ^ (high ? 0x10000u : 0) ^ (low ? 1u : 0);
  CHOICE(__vibmax)
  CHOICE(__vibmin)
  while (k < 40) to[k++] = 0;
}
