// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GNU's <execinfo.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_EXECINFO_H
#define LATHE_STD_EXECINFO_H
extern "C" int backtrace(void**, int);
extern "C" char** backtrace_symbols(void* const*, int);
#endif
