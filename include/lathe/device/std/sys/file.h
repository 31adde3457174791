// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <sys/file.h>: locks of files, by Linux's numbers. Declarations only.
#ifndef LATHE_STD_SYS_FILE_H
#define LATHE_STD_SYS_FILE_H
#include <fcntl.h>
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
extern "C" int flock(int, int) noexcept;
#endif
