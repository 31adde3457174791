// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <dlfcn.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_DLFCN_H
#define LATHE_STD_DLFCN_H
#define RTLD_LAZY 1
#define RTLD_NOW 2
extern "C" void* dlopen(const char*, int) noexcept;
extern "C" void* dlsym(void*, const char*) noexcept;
extern "C" int dlclose(void*) noexcept;
extern "C" char* dlerror() noexcept;
#endif
