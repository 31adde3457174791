// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables and limits of memory, for stage validate. What is wrong is among the compile's diagnostics.
#pragma once

namespace lathe::detail {

class Reachability;
struct Lowering;

/// Variables that the code of entries uses and nothing defines. `reached`: all functions of that code.
void checkVariables(Lowering& lowering, const Reachability& reached);
/// Static group-shared memory of each kernel, where the target knows its limit.
void checkSharedMemory(Lowering& lowering);
/// Local variables along the deepest chain of calls from each entry.
void checkStack(Lowering& lowering);

}  // namespace lathe::detail
