// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C's and POSIX's <time.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_TIME_H
#define LATHE_STD_TIME_H
#include <stddef.h>
#include <sys/types.h>
#define CLOCKS_PER_SEC 1000000L
#define TIME_UTC 1
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#ifndef __CUDA__
typedef long clock_t;
extern "C" clock_t clock() noexcept;
#endif
struct timespec { time_t tv_sec; long tv_nsec; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char* tm_zone; };
extern "C" {
time_t time(time_t*) noexcept;
double difftime(time_t, time_t) noexcept;
time_t mktime(struct tm*) noexcept;
size_t strftime(char*, size_t, const char*, const struct tm*) noexcept;
char* asctime(const struct tm*) noexcept;
char* ctime(const time_t*) noexcept;
char* ctime_r(const time_t*, char*) noexcept;
struct tm* gmtime(const time_t*) noexcept;
struct tm* localtime(const time_t*) noexcept;
struct tm* gmtime_r(const time_t*, struct tm*) noexcept;
struct tm* localtime_r(const time_t*, struct tm*) noexcept;
int timespec_get(struct timespec*, int) noexcept;
int clock_gettime(clockid_t, struct timespec*) noexcept;
int clock_getres(clockid_t, struct timespec*) noexcept;
int nanosleep(const struct timespec*, struct timespec*);
}
#endif
