// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The BSD string functions; <string.h> has them all.
#ifndef LATHE_STD_STRINGS_H
#define LATHE_STD_STRINGS_H
#include <string.h>
#endif
