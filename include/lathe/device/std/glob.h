// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <glob.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_GLOB_H
#define LATHE_STD_GLOB_H
#include <stddef.h>
typedef struct { size_t gl_pathc; char** gl_pathv; size_t gl_offs; int gl_flags; } glob_t;
#define GLOB_ERR 1
#define GLOB_MARK 2
#define GLOB_NOSORT 4
#define GLOB_DOOFFS 8
#define GLOB_NOCHECK 0x10
#define GLOB_APPEND 0x20
#define GLOB_NOESCAPE 0x40
#define GLOB_BRACE 0x400
#define GLOB_TILDE 0x1000
#define GLOB_NOSPACE 1
#define GLOB_ABORTED 2
#define GLOB_NOMATCH 3
extern "C" {
int glob(const char*, int, int (*)(const char*, int), glob_t*);
void globfree(glob_t*) noexcept;
}
#endif
