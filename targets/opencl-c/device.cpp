// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI, by functions that opencl-c.yaml spells.
// Which items form a subgroup is the device's choice.
#define LATHE_TEXT_ROWS
#include <lathe/sdk/device_text.h>
