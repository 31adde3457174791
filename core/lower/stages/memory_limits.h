// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits of memory, for stage validate. What exceeds one is among the compile's diagnostics.
#pragma once

namespace lathe::detail {

struct Lowering;

/// Static group-shared memory of each kernel, where the target knows its limit.
void checkSharedMemory(Lowering& lowering);
/// Local variables along the deepest chain of calls from each entry.
void checkStack(Lowering& lowering);

}  // namespace lathe::detail
