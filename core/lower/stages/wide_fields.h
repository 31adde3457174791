// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of 128 bits in memory, for targets that align them otherwise than portable IR.
#pragma once

namespace llvm {
class DataLayout;
class Module;
}  // namespace llvm

namespace lathe::detail {

/// Keeps the sizes and offsets that `module`'s own data layout gives to memory with 128-bit integers in it, where
/// `wanted` aligns these otherwise. To be called before the module gets that layout. Values stay as they are.
void keepWideFields(llvm::Module& module, const llvm::DataLayout& wanted);

}  // namespace lathe::detail
