// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An old name of <limits.h> and <float.h>.
#ifndef LATHE_STD_VALUES_H
#define LATHE_STD_VALUES_H
#include <float.h>
#include <limits.h>
#endif
