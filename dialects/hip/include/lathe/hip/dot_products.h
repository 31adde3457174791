// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dot products by Clang's names of AMD's builtins. Read by <lathe/hip/amd_builtins.h>.
#ifndef LATHE_HIP_DOT_PRODUCTS_H
#define LATHE_HIP_DOT_PRODUCTS_H

/// Dot products of two halves of words, on top of `sum`; they saturate as those of bytes do.
LATHE_INLINE int __builtin_amdgcn_sdot2(lathe::detail::AmdShort2 a, lathe::detail::AmdShort2 b, int sum,
                                        bool saturate) {
  const long long out = static_cast<long long>(a[0] * b[0]) + a[1] * b[1] + sum;
  if (!saturate) return static_cast<int>(out);
  return static_cast<int>(out > 0x7fffffffll ? 0x7fffffffll : out < -0x80000000ll ? -0x80000000ll : out);
}
LATHE_INLINE unsigned __builtin_amdgcn_udot2(lathe::detail::AmdUnsignedShort2 a, lathe::detail::AmdUnsignedShort2 b,
                                             unsigned sum, bool saturate) {
  const unsigned long long out = 0ull + static_cast<unsigned>(a[0]) * b[0] + static_cast<unsigned>(a[1]) * b[1] + sum;
  return saturate && out > ~0u ? ~0u : static_cast<unsigned>(out);
}
/// Dot products of eight numbers of four bits.
LATHE_INLINE int __builtin_amdgcn_sdot8(int a, int b, int sum, bool saturate) {
  int products = 0;
  for (int i = 0; i < 32; i += 4)
    products += (static_cast<int>(static_cast<unsigned>(a) << (28 - i)) >> 28) *
                (static_cast<int>(static_cast<unsigned>(b) << (28 - i)) >> 28);
  if (saturate) return __builtin_elementwise_add_sat(products, sum);
  return static_cast<int>(static_cast<unsigned>(products) + static_cast<unsigned>(sum));
}
LATHE_INLINE unsigned __builtin_amdgcn_udot8(unsigned a, unsigned b, unsigned sum, bool saturate) {
  unsigned products = 0;
  for (int i = 0; i < 32; i += 4) products += (a >> i & 15) * (b >> i & 15);
  return saturate ? __builtin_elementwise_add_sat(products, sum) : products + sum;
}
/// Dot products of four bytes, on top of `sum`; with `saturate` what does not fit is the nearest number that does.
LATHE_INLINE unsigned __builtin_amdgcn_udot4(unsigned a, unsigned b, unsigned sum, bool saturate) {
  const unsigned out = __dp4a(a, b, sum);
  return saturate && out < sum ? ~0u : out;
}
LATHE_INLINE int __builtin_amdgcn_sdot4(int a, int b, int sum, bool saturate) {
  const int products = __dp4a(a, b, 0);
  return saturate ? __builtin_elementwise_add_sat(products, sum) : __dp4a(a, b, sum);
}
LATHE_INLINE int __builtin_amdgcn_sudot4(bool signedA, int a, bool signedB, int b, int sum, bool saturate) {
  int products = 0;
  for (int i = 0; i < 32; i += 8) {
    const int x = signedA ? static_cast<signed char>(a >> i) : static_cast<unsigned char>(a >> i);
    const int y = signedB ? static_cast<signed char>(b >> i) : static_cast<unsigned char>(b >> i);
    products += x * y;
  }
  if (saturate) return __builtin_elementwise_add_sat(products, sum);
  return static_cast<int>(static_cast<unsigned>(products) + static_cast<unsigned>(sum));
}

#endif
