// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <dlfcn.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_DLFCN_H
#define LATHE_STD_DLFCN_H
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_NOLOAD 4
#define RTLD_DEEPBIND 8
#define RTLD_GLOBAL 0x100
#define RTLD_LOCAL 0
#define RTLD_NODELETE 0x1000
#define RTLD_DEFAULT ((void*)0)
#define RTLD_NEXT ((void*)-1L)
typedef struct {
  const char* dli_fname;
  void* dli_fbase;
  const char* dli_sname;
  void* dli_saddr;
} Dl_info;
extern "C" void* dlopen(const char*, int) noexcept;
extern "C" void* dlsym(void*, const char*) noexcept;
extern "C" void* dlvsym(void*, const char*, const char*) noexcept;
extern "C" int dladdr(const void*, Dl_info*) noexcept;
extern "C" int dlclose(void*) noexcept;
extern "C" char* dlerror() noexcept;
#endif
