// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prelude of the dialect "null", read before every source of it.
#pragma once

#include <lathe/device.h>

#define kernel LATHE_KERNEL
