// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <sys/times.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_SYS_TIMES_H
#define LATHE_STD_SYS_TIMES_H
#include <time.h>
struct tms { long tms_utime, tms_stime, tms_cutime, tms_cstime; };
extern "C" long times(struct tms*) noexcept;
#endif
