// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C's <string.h>: the memory functions, through the compiler's builtins, and the plain ones for strings work on the device; what knows
// a locale, allocates or keeps a place is the host's.
#ifndef LATHE_STD_STRING_H
#define LATHE_STD_STRING_H
#define _LIBCPP_STRING_H  // libc++ asks for this proof that its own wrapper was read
#include <lathe/device/abi.h>
#include <stddef.h>
extern "C" {
#ifdef __CUDA__
#define LATHE_MEMORY __attribute__((host)) LATHE_INLINE
#else
#define LATHE_MEMORY LATHE_INLINE
#endif
LATHE_MEMORY void* memcpy(void* to, const void* from, size_t bytes) noexcept {
  return __builtin_memcpy(to, from, bytes);
}
LATHE_MEMORY void* memmove(void* to, const void* from, size_t bytes) noexcept {
  return __builtin_memmove(to, from, bytes);
}
LATHE_MEMORY void* memset(void* to, int value, size_t bytes) noexcept {
  return __builtin_memset(to, value, bytes);
}
LATHE_MEMORY int memcmp(const void* a, const void* b, size_t bytes) noexcept {
  const auto *x = static_cast<const unsigned char*>(a), *y = static_cast<const unsigned char*>(b);
  for (size_t i = 0; i < bytes; ++i) {
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  }
  return 0;
}
// The compiler's builtin, of which libc++ makes searches among bytes, comes here by its name.
LATHE_MEMORY const void* memchr(const void* from, int wanted, size_t bytes) noexcept {
  const auto* const all = static_cast<const unsigned char*>(from);
  for (size_t i = 0; i < bytes; ++i)
    if (all[i] == static_cast<unsigned char>(wanted)) return all + i;
  return nullptr;
}
LATHE_MEMORY size_t strlen(const char* text) noexcept {
  size_t length = 0;
  while (text[length]) ++length;
  return length;
}
LATHE_MEMORY int strcmp(const char* a, const char* b) noexcept {
  while (*a && *a == *b) ++a, ++b;
  return static_cast<unsigned char>(*a) - static_cast<unsigned char>(*b);
}
LATHE_MEMORY char* strcpy(char* to, const char* from) noexcept {
  char* out = to;
  while ((*out++ = *from++)) {}
  return to;
}
LATHE_MEMORY int strncmp(const char* a, const char* b, size_t most) noexcept {
  for (; most != 0; ++a, ++b, --most)
    if (!*a || *a != *b) return static_cast<unsigned char>(*a) - static_cast<unsigned char>(*b);
  return 0;
}
LATHE_MEMORY char* strncpy(char* to, const char* from, size_t bytes) noexcept {
  for (size_t i = 0; i < bytes; ++i) to[i] = *from ? *from++ : 0;
  return to;
}
LATHE_MEMORY char* strcat(char* to, const char* from) noexcept {
  strcpy(to + strlen(to), from);
  return to;
}
LATHE_MEMORY size_t strnlen(const char* text, size_t most) noexcept {
  size_t length = 0;
  while (length < most && text[length]) ++length;
  return length;
}
char* strncat(char*, const char*, size_t) noexcept;
int strcoll(const char*, const char*) noexcept;
size_t strxfrm(char*, const char*, size_t) noexcept;
size_t strcspn(const char*, const char*) noexcept;
size_t strspn(const char*, const char*) noexcept;
char* strtok(char*, const char*) noexcept;
char* strtok_r(char*, const char*, char**) noexcept;
char* strerror(int) noexcept;
int strerror_r(int, char*, size_t) noexcept;
char* strdup(const char*) noexcept;
char* strndup(const char*, size_t) noexcept;
char* strsep(char**, const char*) noexcept;
char* strsignal(int) noexcept;
char* stpcpy(char*, const char*) noexcept;
void* mempcpy(void*, const void*, size_t) noexcept;
void* memmem(const void*, size_t, const void*, size_t) noexcept;
int strcasecmp(const char*, const char*) noexcept;
int strncasecmp(const char*, const char*, size_t) noexcept;
void bzero(void*, size_t) noexcept;
void bcopy(const void*, void*, size_t) noexcept;
}
// As in C++: the result is as constant as the argument.
extern "C++" {
LATHE_MEMORY const char* strchr(const char* text, int wanted) noexcept __asm("strchr");
LATHE_MEMORY const char* strchr(const char* text, int wanted) noexcept {
  for (;; ++text) {
    if (*text == static_cast<char>(wanted)) return text;
    if (!*text) return nullptr;
  }
}
LATHE_MEMORY char* strchr(char* text, int wanted) noexcept {
  return const_cast<char*>(strchr(static_cast<const char*>(text), wanted));
}
const char* strrchr(const char*, int) noexcept __asm("strrchr");
char* strrchr(char*, int) noexcept __asm("strrchr");
const char* strpbrk(const char*, const char*) noexcept __asm("strpbrk");
char* strpbrk(char*, const char*) noexcept __asm("strpbrk");
const char* strstr(const char*, const char*) noexcept __asm("strstr");
char* strstr(char*, const char*) noexcept __asm("strstr");
const char* strcasestr(const char*, const char*) noexcept __asm("strcasestr");
LATHE_MEMORY void* memchr(void* from, int wanted, size_t bytes) noexcept {
  return const_cast<void*>(memchr(static_cast<const void*>(from), wanted, bytes));
}
#undef LATHE_MEMORY
}
#endif
