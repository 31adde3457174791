// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LATHE_STD_MATH_H
#define LATHE_STD_MATH_H
#include <lathe/device/math.h>
#endif
