// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <netdb.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_NETDB_H
#define LATHE_STD_NETDB_H
#include <netinet/in.h>
struct hostent { char* h_name; char** h_aliases; int h_addrtype, h_length; char** h_addr_list; };
#define h_addr h_addr_list[0]
struct addrinfo {
  int ai_flags, ai_family, ai_socktype, ai_protocol;
  socklen_t ai_addrlen;
  struct sockaddr* ai_addr;
  char* ai_canonname;
  struct addrinfo* ai_next;
};
#define AI_PASSIVE 1
#define AI_CANONNAME 2
#define AI_NUMERICHOST 4
#define AI_NUMERICSERV 0x400
#define NI_NUMERICHOST 1
#define NI_NUMERICSERV 2
#define NI_MAXHOST 1025
#define NI_MAXSERV 32
#define EAI_NONAME (-2)
#define EAI_AGAIN (-3)
extern "C" {
struct hostent* gethostbyname(const char*);
int getaddrinfo(const char*, const char*, const struct addrinfo*, struct addrinfo**);
void freeaddrinfo(struct addrinfo*) noexcept;
int getnameinfo(const struct sockaddr*, socklen_t, char*, socklen_t, char*, socklen_t, int);
const char* gai_strerror(int) noexcept;
}
#endif
