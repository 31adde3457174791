// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <sys/select.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_SYS_SELECT_H
#define LATHE_STD_SYS_SELECT_H
#include <sys/types.h>
#include <time.h>
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
#define FD_SETSIZE 1024
typedef struct { long fds_bits[FD_SETSIZE / 64]; } fd_set;
#define FD_ZERO(set) ((void)(*(set) = {}))
#define FD_SET(fd, set) ((void)((set)->fds_bits[(fd) / 64] |= 1L << (fd) % 64))
#define FD_CLR(fd, set) ((void)((set)->fds_bits[(fd) / 64] &= ~(1L << (fd) % 64)))
#define FD_ISSET(fd, set) (((set)->fds_bits[(fd) / 64] & 1L << (fd) % 64) != 0)
extern "C" int select(int, fd_set*, fd_set*, fd_set*, struct timeval*);
#endif
