// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <sys/un.h>: addresses of a machine's own sockets. Declarations only.
#ifndef LATHE_STD_SYS_UN_H
#define LATHE_STD_SYS_UN_H
struct sockaddr_un {
  unsigned short sun_family;
  char sun_path[108];
};
#endif
