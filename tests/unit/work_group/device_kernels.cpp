// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels, for the device.
#define LATHE_DEVICE_SIDE
#include "tests/unit/work_group/kernels.h"
