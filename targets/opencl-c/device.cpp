// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI, by functions that opencl-c.yaml spells.
#include <lathe/sdk/device_text.h>
