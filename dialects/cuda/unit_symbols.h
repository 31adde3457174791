// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbols of kernels and variables that other translation units cannot name (static, unnamed namespaces).
#pragma once

namespace llvm {
class Module;
}

namespace lathe::dialects {

/// Takes the unit's name, which Clang appends, off such symbols, gives those that nvcc spells without a mark of
/// internal linkage nvcc's symbol, and marks them as the unit's own.
void nameUnitsOwn(llvm::Module& module);

}  // namespace lathe::dialects
