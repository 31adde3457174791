// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <sys/wait.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_SYS_WAIT_H
#define LATHE_STD_SYS_WAIT_H
#include <sys/types.h>
#define WNOHANG 1
#define WIFEXITED(status) (((status) & 0x7f) == 0)
#define WEXITSTATUS(status) (((status) >> 8) & 0xff)
extern "C" pid_t wait(int*);
extern "C" pid_t waitpid(pid_t, int*, int);
#endif
