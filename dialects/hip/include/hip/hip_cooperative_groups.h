// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups, whose tiles may be a wave of 64 threads here.
#ifndef LATHE_HIP_COOPERATIVE_GROUPS_H
#define LATHE_HIP_COOPERATIVE_GROUPS_H

#include <cooperative_groups.h>

#endif
