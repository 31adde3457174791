// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <unistd.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_UNISTD_H
#define LATHE_STD_UNISTD_H
#include <sys/types.h>
#define _POSIX_VERSION 200809L
#define _POSIX2_VERSION 200809L
#define _POSIX_TIMERS 200809L
#define _POSIX_MONOTONIC_CLOCK 0
#define _POSIX_THREADS 200809L
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84
#define _SC_CLK_TCK 2
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
extern "C" {
long syscall(long, ...) noexcept;
extern char* optarg;
extern int optind, opterr, optopt;
int getopt(int, char* const[], const char*) noexcept;
ssize_t read(int, void*, size_t);
ssize_t write(int, const void*, size_t);
int close(int);
off_t lseek(int, off_t, int) noexcept;
int access(const char*, int) noexcept;
int unlink(const char*) noexcept;
int rmdir(const char*) noexcept;
int chdir(const char*) noexcept;
char* getcwd(char*, size_t) noexcept;
int gethostname(char*, size_t) noexcept;
int ftruncate(int, off_t) noexcept;
int fsync(int);
int dup(int) noexcept;
int dup2(int, int) noexcept;
int pipe(int[2]) noexcept;
int isatty(int) noexcept;
pid_t fork() noexcept;
pid_t getpid() noexcept;
pid_t getppid() noexcept;
uid_t getuid() noexcept;
uid_t geteuid() noexcept;
int execvp(const char*, char* const[]) noexcept;
unsigned sleep(unsigned);
unsigned alarm(unsigned) noexcept;
int usleep(useconds_t);
long sysconf(int) noexcept;
int getpagesize() noexcept;
}
#endif
