// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An old name of what <stdlib.h> declares.
#ifndef LATHE_STD_MALLOC_H
#define LATHE_STD_MALLOC_H
#include <stdlib.h>
#endif
