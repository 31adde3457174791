// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <netinet/tcp.h>: options of connections, by Linux's numbers.
#ifndef LATHE_STD_NETINET_TCP_H
#define LATHE_STD_NETINET_TCP_H
#define TCP_NODELAY 1
#define TCP_MAXSEG 2
#define TCP_CORK 3
#define TCP_KEEPIDLE 4
#define TCP_KEEPINTVL 5
#define TCP_KEEPCNT 6
#define TCP_QUICKACK 12
#define TCP_USER_TIMEOUT 18
#endif
