// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of <cooperative_groups.h>.
#include <cooperative_groups.h>
