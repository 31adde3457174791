// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <byteswap.h>: words with their bytes in the other order.
#ifndef LATHE_STD_BYTESWAP_H
#define LATHE_STD_BYTESWAP_H
#define bswap_16(x) __builtin_bswap16(x)
#define bswap_32(x) __builtin_bswap32(x)
#define bswap_64(x) __builtin_bswap64(x)
#endif
