// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <dirent.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_DIRENT_H
#define LATHE_STD_DIRENT_H
#include <sys/types.h>
typedef struct LatheHostDirectory DIR;
struct dirent { ino_t d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
extern "C" DIR* opendir(const char*);
extern "C" struct dirent* readdir(DIR*);
extern "C" int closedir(DIR*);
#endif
