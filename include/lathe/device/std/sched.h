// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <sched.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_SCHED_H
#define LATHE_STD_SCHED_H
#include <sys/types.h>
struct sched_param { int sched_priority; };
typedef struct { unsigned long bits[16]; } cpu_set_t;
#define CPU_ZERO(set) (*(set) = cpu_set_t{})
#define CPU_SET(cpu, set) ((set)->bits[(cpu) / 64] |= 1ul << (cpu) % 64)
extern "C" int sched_yield() noexcept;
extern "C" int sched_setaffinity(pid_t, size_t, const cpu_set_t*) noexcept;
extern "C" int sched_getaffinity(pid_t, size_t, cpu_set_t*) noexcept;
extern "C" int sched_getcpu() noexcept;
#endif
