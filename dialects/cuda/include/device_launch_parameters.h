// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Here so that the include works: threadIdx and its kin come from the prelude.
#ifndef LATHE_DEVICE_LAUNCH_PARAMETERS_H
#define LATHE_DEVICE_LAUNCH_PARAMETERS_H

#include <lathe/cuda/prelude.h>

#endif
