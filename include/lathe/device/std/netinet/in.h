// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <netinet/in.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_NETINET_IN_H
#define LATHE_STD_NETINET_IN_H
#include <stdint.h>
#include <sys/socket.h>
typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;
struct in_addr { in_addr_t s_addr; };
struct in6_addr { union { uint8_t s6_addr[16]; uint16_t s6_addr16[8]; uint32_t s6_addr32[4]; }; };
struct sockaddr_in { sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; unsigned char sin_zero[8]; };
struct sockaddr_in6 {
  sa_family_t sin6_family;
  in_port_t sin6_port;
  uint32_t sin6_flowinfo;
  struct in6_addr sin6_addr;
  uint32_t sin6_scope_id;
};
#define IPPROTO_IP 0
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define IPPROTO_IPV6 41
#define IPV6_V6ONLY 26
#define INADDR_ANY ((in_addr_t)0)
#define INADDR_LOOPBACK ((in_addr_t)0x7f000001)
#define INADDR_BROADCAST ((in_addr_t)0xffffffff)
#define INADDR_NONE ((in_addr_t)0xffffffff)
#define INET_ADDRSTRLEN 16
#define INET6_ADDRSTRLEN 46
extern "C" {
extern const struct in6_addr in6addr_any, in6addr_loopback;
uint16_t htons(uint16_t) noexcept;
uint16_t ntohs(uint16_t) noexcept;
uint32_t htonl(uint32_t) noexcept;
uint32_t ntohl(uint32_t) noexcept;
}
#endif
