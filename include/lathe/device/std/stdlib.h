// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C's <stdlib.h> with the usual POSIX additions. abs() and its kin have bodies; malloc and free are the device's where a
// target has them; the rest is the host's.
#ifndef LATHE_STD_STDLIB_H
#define LATHE_STD_STDLIB_H
#define _LIBCPP_STDLIB_H  // libc++ asks for this proof that its own wrapper was read
#include <stddef.h>
#include <endian.h>
#include <sys/types.h>
#include <sys/wait.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX 1
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
#include <lathe/device/math.h>
extern "C" {
LATHE_ANYWHERE void* malloc(size_t) noexcept __attribute__((malloc));
void* calloc(size_t, size_t) noexcept __attribute__((malloc));
void* realloc(void*, size_t) noexcept;
void* aligned_alloc(size_t, size_t) noexcept;
void* memalign(size_t, size_t) noexcept;
void* valloc(size_t) noexcept;
int posix_memalign(void**, size_t, size_t) noexcept;
LATHE_ANYWHERE void free(void*) noexcept;
[[noreturn]] LATHE_ANYWHERE void abort() noexcept;
[[noreturn]] void exit(int) noexcept;
[[noreturn]] void _exit(int) noexcept;
[[noreturn]] void _Exit(int) noexcept;
[[noreturn]] void quick_exit(int) noexcept;
int atexit(void (*)()) noexcept;
int at_quick_exit(void (*)()) noexcept;
int system(const char*);
char* getenv(const char*) noexcept;
char* secure_getenv(const char*) noexcept;
int setenv(const char*, const char*, int) noexcept;
int unsetenv(const char*) noexcept;
int putenv(char*) noexcept;
double atof(const char*) noexcept;
int atoi(const char*) noexcept;
long atol(const char*) noexcept;
long long atoll(const char*) noexcept;
double strtod(const char*, char**) noexcept;
float strtof(const char*, char**) noexcept;
long double strtold(const char*, char**) noexcept;
long strtol(const char*, char**, int) noexcept;
long long strtoll(const char*, char**, int) noexcept;
unsigned long strtoul(const char*, char**, int) noexcept;
unsigned long long strtoull(const char*, char**, int) noexcept;
int rand() noexcept;
void srand(unsigned) noexcept;
int rand_r(unsigned*) noexcept;
long random() noexcept;
void srandom(unsigned) noexcept;
double drand48() noexcept;
double erand48(unsigned short[3]) noexcept;
long lrand48() noexcept;
long mrand48() noexcept;
long nrand48(unsigned short[3]) noexcept;
void srand48(long) noexcept;
unsigned short* seed48(unsigned short[3]) noexcept;
void* bsearch(const void*, const void*, size_t, size_t, int (*)(const void*, const void*));
void qsort(void*, size_t, size_t, int (*)(const void*, const void*));
div_t div(int, int) noexcept;
ldiv_t ldiv(long, long) noexcept;
lldiv_t lldiv(long long, long long) noexcept;
int mblen(const char*, size_t) noexcept;
int mbtowc(wchar_t*, const char*, size_t) noexcept;
int wctomb(char*, wchar_t) noexcept;
size_t mbstowcs(wchar_t*, const char*, size_t) noexcept;
size_t wcstombs(char*, const wchar_t*, size_t) noexcept;
char* realpath(const char*, char*) noexcept;
char* mkdtemp(char*);
int mkstemp(char*);
char* mktemp(char*) noexcept;
int getloadavg(double[], int) noexcept;
}
#endif
