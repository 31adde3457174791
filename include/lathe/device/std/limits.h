// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <limits.h>: the compiler's, with the names of POSIX and of C23 that glibc's has as well, and Linux's numbers for them.
#ifndef LATHE_STD_LIMITS_H
#define LATHE_STD_LIMITS_H
#if __has_include_next(<limits.h>)
#include_next <limits.h>
#endif
#ifndef LONG_LONG_MAX
#define LONG_LONG_MAX __LONG_LONG_MAX__
#define LONG_LONG_MIN (-__LONG_LONG_MAX__ - 1LL)
#define ULONG_LONG_MAX (__LONG_LONG_MAX__ * 2ULL + 1ULL)
#endif
#ifndef ULLONG_WIDTH
#define CHAR_WIDTH __CHAR_BIT__
#define SCHAR_WIDTH __CHAR_BIT__
#define UCHAR_WIDTH __CHAR_BIT__
#define SHRT_WIDTH __SHRT_WIDTH__
#define USHRT_WIDTH __SHRT_WIDTH__
#define INT_WIDTH __INT_WIDTH__
#define UINT_WIDTH __INT_WIDTH__
#define LONG_WIDTH __LONG_WIDTH__
#define ULONG_WIDTH __LONG_WIDTH__
#define LLONG_WIDTH __LLONG_WIDTH__
#define ULLONG_WIDTH __LLONG_WIDTH__
#endif
#define WORD_BIT __INT_WIDTH__
#define LONG_BIT __LONG_WIDTH__
#define SSIZE_MAX __LONG_MAX__
#define NAME_MAX 255
#define PATH_MAX 4096
#define PIPE_BUF 4096
#define LINE_MAX 2048
#define IOV_MAX 1024
#define NGROUPS_MAX 65536
#define HOST_NAME_MAX 64
#define LOGIN_NAME_MAX 256
#define TTY_NAME_MAX 32
#define SEM_VALUE_MAX 2147483647
#endif
