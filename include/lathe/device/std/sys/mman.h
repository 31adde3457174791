// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <sys/mman.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_SYS_MMAN_H
#define LATHE_STD_SYS_MMAN_H
#include <sys/types.h>
#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_ANON 32
#define MAP_FAILED (reinterpret_cast<void*>(-1))
extern "C" {
void* mmap(void*, size_t, int, int, int, off_t) noexcept;
int munmap(void*, size_t) noexcept;
int mprotect(void*, size_t, int) noexcept;
int mlock(const void*, size_t) noexcept;
int munlock(const void*, size_t) noexcept;
int madvise(void*, size_t, int) noexcept;
}
#endif
