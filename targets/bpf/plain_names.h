// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include <lathe/result.h>

namespace llvm {
class Module;
}  // namespace llvm

namespace lathe::targets {

/// Gives maps and variables of C++ namespaces and classes their own names as symbols: libbpf, the kernel and what is
/// made for C find them by these, and the kernel keeps 15 characters of a map's. A variable whose name something else
/// has too keeps its mangled symbol; of a map that is an error, which goes to `out`.
///   before: @_ZN4tool6countsE = global %struct.map undef, section ".maps"
///   after:  @counts
void takePlainNames(llvm::Module& module, std::vector<Diagnostic>& out);

}  // namespace lathe::targets
