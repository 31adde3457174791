// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The old <sys/timeb.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_SYS_TIMEB_H
#define LATHE_STD_SYS_TIMEB_H
#include <time.h>
struct timeb { time_t time; unsigned short millitm; short timezone, dstflag; };
extern "C" int ftime(struct timeb*);
#endif
