// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <fcntl.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_FCNTL_H
#define LATHE_STD_FCNTL_H
#include <sys/types.h>
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_DIRECT 040000
extern "C" int open(const char*, int, ...);
extern "C" int fcntl(int, int, ...);
#endif
