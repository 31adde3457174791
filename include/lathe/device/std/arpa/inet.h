// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <arpa/inet.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_ARPA_INET_H
#define LATHE_STD_ARPA_INET_H
#include <netinet/in.h>
extern "C" {
in_addr_t inet_addr(const char*) noexcept;
int inet_aton(const char*, struct in_addr*) noexcept;
char* inet_ntoa(struct in_addr) noexcept;
const char* inet_ntop(int, const void*, char*, socklen_t) noexcept;
int inet_pton(int, const char*, void*) noexcept;
}
#endif
