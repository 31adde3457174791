// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a target's device.cpp: the declarations of both ABI tables, the device ABI, which it defines and may call, and
// the runtime ABI (docs/device-abi.md). A definition that includes this file and has another type does not compile.
// Include it before <lathe/device/...>.
#ifndef LATHE_SDK_DEVICE_ABI_H
#define LATHE_SDK_DEVICE_ABI_H

// Definitions in device code need not say it: it is compiled without exceptions.
#define LATHE_ABI_NOEXCEPT
#include <lathe/device/abi.h>

extern "C" {
#include <lathe/sdk/runtime_declarations.inc>
}

#endif
