// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <sys/resource.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_SYS_RESOURCE_H
#define LATHE_STD_SYS_RESOURCE_H
#include <sys/time.h>
struct rusage { struct timeval ru_utime, ru_stime; long ru_maxrss, ru_minflt, ru_majflt; };
struct rlimit { unsigned long rlim_cur, rlim_max; };
#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN (-1)
#define RLIMIT_STACK 3
extern "C" {
int getrusage(int, struct rusage*) noexcept;
int getrlimit(int, struct rlimit*) noexcept;
int setrlimit(int, const struct rlimit*) noexcept;
}
#endif
