// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <endian.h>: the order of bytes, and words in either.
#ifndef LATHE_STD_ENDIAN_H
#define LATHE_STD_ENDIAN_H
#include <stdint.h>
#define __LITTLE_ENDIAN 1234
#define __BIG_ENDIAN 4321
#define __PDP_ENDIAN 3412
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define __BYTE_ORDER __LITTLE_ENDIAN
#else
#define __BYTE_ORDER __BIG_ENDIAN
#endif
#define LITTLE_ENDIAN __LITTLE_ENDIAN
#define BIG_ENDIAN __BIG_ENDIAN
#define PDP_ENDIAN __PDP_ENDIAN
#define BYTE_ORDER __BYTE_ORDER
#define LATHE_SWAP_IF(order, bits, x) (__BYTE_ORDER == order ? __builtin_bswap##bits(x) : (uint##bits##_t)(x))
#define htobe16(x) LATHE_SWAP_IF(__LITTLE_ENDIAN, 16, x)
#define htole16(x) LATHE_SWAP_IF(__BIG_ENDIAN, 16, x)
#define be16toh(x) LATHE_SWAP_IF(__LITTLE_ENDIAN, 16, x)
#define le16toh(x) LATHE_SWAP_IF(__BIG_ENDIAN, 16, x)
#define htobe32(x) LATHE_SWAP_IF(__LITTLE_ENDIAN, 32, x)
#define htole32(x) LATHE_SWAP_IF(__BIG_ENDIAN, 32, x)
#define be32toh(x) LATHE_SWAP_IF(__LITTLE_ENDIAN, 32, x)
#define le32toh(x) LATHE_SWAP_IF(__BIG_ENDIAN, 32, x)
#define htobe64(x) LATHE_SWAP_IF(__LITTLE_ENDIAN, 64, x)
#define htole64(x) LATHE_SWAP_IF(__BIG_ENDIAN, 64, x)
#define be64toh(x) LATHE_SWAP_IF(__LITTLE_ENDIAN, 64, x)
#define le64toh(x) LATHE_SWAP_IF(__BIG_ENDIAN, 64, x)
#endif
