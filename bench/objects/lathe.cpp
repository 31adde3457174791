// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <lathe/device.h>

#define FUNCTION(result, name) LATHE_EXPORT result lathe_##name
#include "functions.h"
