// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <sys/time.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_SYS_TIME_H
#define LATHE_STD_SYS_TIME_H
#include <sys/select.h>
struct timezone { int tz_minuteswest, tz_dsttime; };
extern "C" int gettimeofday(struct timeval*, void*) noexcept;
#endif
