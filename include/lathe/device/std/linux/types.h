// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linux's types for programs, of which headers of network adapters make their queues' entries. The order of their bytes
// is in their names alone.
#ifndef LATHE_LINUX_TYPES_H
#define LATHE_LINUX_TYPES_H

#include <asm/types.h>

typedef __u16 __le16, __be16, __sum16;
typedef __u32 __le32, __be32, __wsum;
typedef __u64 __le64, __be64;
typedef unsigned __poll_t;
typedef __u64 __attribute__((aligned(8))) __aligned_u64, __aligned_be64, __aligned_le64;

#endif
