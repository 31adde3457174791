// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixed-width integers of Linux's headers for programs.
#ifndef LATHE_ASM_TYPES_H
#define LATHE_ASM_TYPES_H

typedef signed char __s8;
typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned __u32;
__extension__ typedef long long __s64;
__extension__ typedef unsigned long long __u64;

#endif
