// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf, the one function of C's <stdio.h> that devices have. Formats are C's without %n and %ls; what is printed
// appears when the host waits for the kernel. It returns the number of arguments, or -1 if the text was dropped.
#ifndef LATHE_STD_STDIO_H
#define LATHE_STD_STDIO_H
#include <lathe/device/abi.h>
extern "C" LATHE_ANYWHERE int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
#endif
