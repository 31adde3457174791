// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <sys/uio.h>: reads and writes of several pieces. Declarations only.
#ifndef LATHE_STD_SYS_UIO_H
#define LATHE_STD_SYS_UIO_H
struct iovec {
  void* iov_base;
  decltype(sizeof(0)) iov_len;
};
extern "C" long readv(int, const iovec*, int);
extern "C" long writev(int, const iovec*, int);
#endif
