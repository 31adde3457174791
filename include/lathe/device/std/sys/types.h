// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integer types that POSIX names.
#ifndef LATHE_STD_SYS_TYPES_H
#define LATHE_STD_SYS_TYPES_H
#include <stddef.h>
#include <stdint.h>
typedef long ssize_t;
typedef long off_t;
typedef long off64_t;
typedef long time_t;
typedef int clockid_t;
typedef int pid_t;
typedef unsigned uid_t, gid_t, mode_t, id_t;
typedef unsigned long dev_t, ino_t, nlink_t;
typedef long blksize_t, blkcnt_t, suseconds_t;
typedef unsigned useconds_t;
typedef unsigned short ushort;
typedef unsigned uint;
typedef unsigned long ulong;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned u_int;
typedef unsigned long u_long;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
#include <sys/select.h>  // glibc's brings timeval along
#endif
