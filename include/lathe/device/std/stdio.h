// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C's <stdio.h>. printf is the one function that devices have: formats are C's without %n and %ls, what is printed appears
// when the host waits for the kernel, and it returns the number of arguments, or -1 if the text was dropped. The others are
// the host's: declarations, of which nothing is ever emitted.
#ifndef LATHE_STD_STDIO_H
#define LATHE_STD_STDIO_H
#define _LIBCPP_STDIO_H  // libc++ asks for this proof that its own wrapper was read
#include <lathe/device/abi.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>
#define EOF (-1)
#define BUFSIZ 8192
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define TMP_MAX 238328
#define L_tmpnam 20
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
extern "C" LATHE_ANYWHERE int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
typedef struct LatheHostFile FILE;
typedef struct { long position; } fpos_t;
extern "C" {
extern FILE *stdin, *stdout, *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
int fprintf(FILE*, const char*, ...);
int sprintf(char*, const char*, ...) noexcept;
int snprintf(char*, size_t, const char*, ...) noexcept;
int dprintf(int, const char*, ...);
int asprintf(char**, const char*, ...);
int vprintf(const char*, va_list);
int vfprintf(FILE*, const char*, va_list);
int vsprintf(char*, const char*, va_list) noexcept;
int vsnprintf(char*, size_t, const char*, va_list) noexcept;
int vasprintf(char**, const char*, va_list);
int scanf(const char*, ...);
int fscanf(FILE*, const char*, ...);
int sscanf(const char*, const char*, ...) noexcept;
int vscanf(const char*, va_list);
int vfscanf(FILE*, const char*, va_list);
int vsscanf(const char*, const char*, va_list) noexcept;
FILE* fopen(const char*, const char*);
FILE* freopen(const char*, const char*, FILE*);
FILE* fdopen(int, const char*);
FILE* fmemopen(void*, size_t, const char*);
FILE* popen(const char*, const char*);
FILE* tmpfile();
char* tmpnam(char*);
int pclose(FILE*);
int fclose(FILE*);
int fflush(FILE*);
int fileno(FILE*);
void setbuf(FILE*, char*);
int setvbuf(FILE*, char*, int, size_t);
size_t fread(void*, size_t, size_t, FILE*);
size_t fwrite(const void*, size_t, size_t, FILE*);
int fseek(FILE*, long, int);
int fseeko(FILE*, off_t, int);
long ftell(FILE*);
off_t ftello(FILE*);
void rewind(FILE*);
int fgetpos(FILE*, fpos_t*);
int fsetpos(FILE*, const fpos_t*);
int feof(FILE*);
int ferror(FILE*);
void clearerr(FILE*);
void perror(const char*);
int fgetc(FILE*);
int getc(FILE*);
int getchar();
int fputc(int, FILE*);
int putc(int, FILE*);
int putchar(int);
int ungetc(int, FILE*);
char* fgets(char*, int, FILE*);
int fputs(const char*, FILE*);
int puts(const char*);
ssize_t getline(char**, size_t*, FILE*);
ssize_t getdelim(char**, size_t*, int, FILE*);
int remove(const char*);
int rename(const char*, const char*);
}
#endif
