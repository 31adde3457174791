// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <regex.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_REGEX_H
#define LATHE_STD_REGEX_H
#include <stddef.h>
typedef struct { void* state[7]; size_t re_nsub; } regex_t;
typedef int regoff_t;
typedef struct { regoff_t rm_so, rm_eo; } regmatch_t;
#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8
#define REG_NOTBOL 1
#define REG_NOTEOL 2
#define REG_NOMATCH 1
extern "C" {
int regcomp(regex_t*, const char*, int) noexcept;
int regexec(const regex_t*, const char*, size_t, regmatch_t*, int) noexcept;
size_t regerror(int, const regex_t*, char*, size_t) noexcept;
void regfree(regex_t*) noexcept;
}
#endif
