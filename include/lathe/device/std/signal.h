// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C's and POSIX's <signal.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_SIGNAL_H
#define LATHE_STD_SIGNAL_H
#include <sys/types.h>
typedef int sig_atomic_t;
typedef void (*sighandler_t)(int);
#define SIG_DFL (static_cast<sighandler_t>(nullptr))
#define SIG_IGN (reinterpret_cast<sighandler_t>(1))
#define SIG_ERR (reinterpret_cast<sighandler_t>(-1))
#define SIGHUP 1
#define SIGINT 2
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
extern "C" sighandler_t signal(int, sighandler_t) noexcept;
extern "C" int raise(int) noexcept;
extern "C" int kill(pid_t, int) noexcept;
#endif
