// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What solve.cpp calls and reads.
#include <lathe/device.h>

#include "factor.h"
#include "scale.h"

float factor = 2;
float scaled(float x) { return 20 * FACTOR * x; }
LATHE_KERNEL void factor_of(float* y) { *y = factor; }
