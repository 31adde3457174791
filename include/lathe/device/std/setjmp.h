// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C's <setjmp.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_SETJMP_H
#define LATHE_STD_SETJMP_H
typedef long jmp_buf[32];
extern "C" int setjmp(jmp_buf);
extern "C" __attribute__((noreturn)) void longjmp(jmp_buf, int);
#endif
