// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left undefined and limits of memory, for stage validate. What is wrong is among the compile's diagnostics.
#pragma once

#include <string>

namespace lathe::detail {

class Reachability;
struct Descriptor;
struct Lowering;

/// The remedy for a name that nothing defines.
[[nodiscard]] std::string undefinedHint(const Descriptor& descriptor);
/// Functions of the program that the code of entries calls, where there is no such program or no rule to call them by.
void checkImports(Lowering& lowering, const Reachability& reached);

/// Variables that the code of entries uses and nothing defines. `reached`: all functions of that code.
void checkVariables(Lowering& lowering, const Reachability& reached);
/// Static group-shared memory of each kernel, where the target knows its limit.
void checkSharedMemory(Lowering& lowering);
/// Local variables along the deepest chain of calls from each entry.
void checkStack(Lowering& lowering);

}  // namespace lathe::detail
