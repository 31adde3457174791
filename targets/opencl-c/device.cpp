// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI, by functions that opencl-c.yaml spells.
// Which items form a subgroup is the device's choice.
#define LATHE_STATE_SPACE 1
#define LATHE_TEXT_ROWS
#include <lathe/sdk/device_heap.h>
#include <lathe/sdk/device_state.h>
#include <lathe/sdk/device_text.h>

/// Nothing in OpenCL C does: it becomes a return from the kernel.
inline void lathe_state::endItem() {
  __lathe_end_item();
}
