// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic and bits at every width: operators, and Clang's builtins for what C++ keeps in <bit>.
#include <lathe/device.h>

template <class T>
LATHE_KERNEL void arithmetic(const T* a, const T* b, T* out) {
  const unsigned i = lathe::global_id().x;
  const T x = a[i], y = b[i];
  T* row = out + 12 * i;
  *row++ = T(x + y);
  *row++ = T(x - y);
  *row++ = T(x * y);
  *row++ = y == 0 || (y == T(-1)) ? x : T(x / y);
  *row++ = y == 0 || (y == T(-1)) ? x : T(x % y);
  *row++ = T(x & y);
  *row++ = T(x | ~y);
  *row++ = T(x ^ y);
  *row++ = T(x << (y & T(sizeof(T) * 8 - 1)));
  *row++ = T(x >> (y & T(sizeof(T) * 8 - 1)));
  *row++ = x < y ? x : y;
  *row++ = T(-x);
}

template <class T>
LATHE_KERNEL void bits(const T* a, int* out) {
  const unsigned i = lathe::global_id().x;
  const T x = a[i];
  int* const row = out + 5 * i;
  row[0] = __builtin_popcountg(x);
  row[1] = __builtin_clzg(x, int(sizeof(T) * 8));
  row[2] = __builtin_ctzg(x, int(sizeof(T) * 8));
  row[3] = int(__builtin_elementwise_bitreverse(x) >> (sizeof(T) * 8 - 8));
  row[4] = int(__builtin_elementwise_fshl(x, x, T(3)) & 0xff);
}

#ifdef __SIZEOF_INT128__  // some machines of 32 and 16 bits have no such type
/// Products of twice the width, and conversions between all widths.
LATHE_KERNEL void wide(const long* a, const long* b, unsigned long* out) {
  const unsigned i = lathe::global_id().x;
  unsigned long* const row = out + 6 * i;
  row[0] = static_cast<unsigned long>(static_cast<__int128>(a[i]) * b[i] >> 64);
  row[1] = static_cast<unsigned long>(
      static_cast<unsigned __int128>(static_cast<unsigned long>(a[i])) * static_cast<unsigned long>(b[i]) >> 64);
  row[2] = static_cast<unsigned long>(static_cast<long>(static_cast<signed char>(a[i])));
  row[3] = static_cast<unsigned long>(static_cast<unsigned short>(a[i]));
  row[4] = static_cast<unsigned long>(static_cast<long>(static_cast<int>(a[i])));
  row[5] = static_cast<unsigned long>(__builtin_bswap64(static_cast<unsigned long>(a[i])));
}
#endif
