// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <sys/sysinfo.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_SYS_SYSINFO_H
#define LATHE_STD_SYS_SYSINFO_H
struct sysinfo { long uptime; unsigned long loads[3], totalram, freeram, sharedram, bufferram, totalswap, freeswap; unsigned short procs; };
extern "C" int sysinfo(struct sysinfo*) noexcept;
extern "C" int get_nprocs() noexcept;
#endif
