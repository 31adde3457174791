// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linux's <sys/syscall.h>: numbers of the calls that programs make by themselves. They make them on the host.
#ifndef LATHE_STD_SYS_SYSCALL_H
#define LATHE_STD_SYS_SYSCALL_H
#define SYS_getpid 39
#define SYS_gettid 186
#define SYS_futex 202
#define SYS_sched_setaffinity 203
#define SYS_sched_getaffinity 204
#define SYS_mbind 237
#define SYS_set_mempolicy 238
#define SYS_get_mempolicy 239
#define SYS_move_pages 279
#define SYS_getcpu 309
#define SYS_memfd_create 319
#endif
