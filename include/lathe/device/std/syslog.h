// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <syslog.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_SYSLOG_H
#define LATHE_STD_SYSLOG_H
#include <stdarg.h>
#define LOG_EMERG 0
#define LOG_ALERT 1
#define LOG_CRIT 2
#define LOG_ERR 3
#define LOG_WARNING 4
#define LOG_NOTICE 5
#define LOG_INFO 6
#define LOG_DEBUG 7
#define LOG_PID 1
#define LOG_CONS 2
#define LOG_NDELAY 8
#define LOG_PERROR 32
#define LOG_USER (1 << 3)
#define LOG_DAEMON (3 << 3)
#define LOG_LOCAL0 (16 << 3)
extern "C" {
void openlog(const char*, int, int);
void syslog(int, const char*, ...);
void vsyslog(int, const char*, va_list);
int setlogmask(int) noexcept;
void closelog();
}
#endif
