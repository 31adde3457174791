// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <poll.h>: waiting for files, by Linux's numbers. Declarations only.
#ifndef LATHE_STD_POLL_H
#define LATHE_STD_POLL_H
#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16
#define POLLNVAL 32
struct pollfd {
  int fd;
  short events, revents;
};
typedef unsigned long nfds_t;
extern "C" int poll(pollfd*, nfds_t, int);
#endif
