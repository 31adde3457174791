// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An old name of <string.h>.
#ifndef LATHE_STD_MEMORY_H
#define LATHE_STD_MEMORY_H
#include <string.h>
#endif
