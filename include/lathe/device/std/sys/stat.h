// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <sys/stat.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_SYS_STAT_H
#define LATHE_STD_SYS_STAT_H
#include <sys/types.h>
#include <time.h>
struct stat {
  dev_t st_dev; ino_t st_ino; mode_t st_mode; nlink_t st_nlink; uid_t st_uid; gid_t st_gid; dev_t st_rdev; off_t st_size;
  blksize_t st_blksize; blkcnt_t st_blocks; time_t st_atime, st_mtime, st_ctime;
};
#define S_IRWXU 0700
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXG 0070
#define S_IRGRP 0040
#define S_IRWXO 0007
#define S_IROTH 0004
#define S_IFMT 0170000
#define S_ISDIR(mode) (((mode) & S_IFMT) == 0040000)
#define S_ISREG(mode) (((mode) & S_IFMT) == 0100000)
extern "C" {
int stat(const char*, struct stat*) noexcept;
int fstat(int, struct stat*) noexcept;
int lstat(const char*, struct stat*) noexcept;
int mkdir(const char*, mode_t) noexcept;
int chmod(const char*, mode_t) noexcept;
}
#endif
