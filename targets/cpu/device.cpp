// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI of the CPU where lowering alone does not provide it: barriers that count votes. Indexing and the plain
// barrier are work-group lowering's.
#include <lathe/sdk/device_votes.h>
