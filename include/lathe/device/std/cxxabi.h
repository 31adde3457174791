// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LATHE_STD_CXXABI_H
#define LATHE_STD_CXXABI_H
namespace __cxxabiv1 {
extern "C" char* __cxa_demangle(const char*, char*, __SIZE_TYPE__*, int*);
}
namespace abi = __cxxabiv1;
#endif
