// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GNU's <getopt.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_GETOPT_H
#define LATHE_STD_GETOPT_H
#include <unistd.h>
#define no_argument 0
#define required_argument 1
#define optional_argument 2
struct option { const char* name; int has_arg; int* flag; int val; };
extern "C" int getopt_long(int, char* const[], const char*, const struct option*, int*) noexcept;
extern "C" int getopt_long_only(int, char* const[], const char*, const struct option*, int*) noexcept;
#endif
