// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace lathe::targets {

/// Stores constants into the elements of local arrays one by one. LLVM makes a word of 64 bits of the zeros of two
/// numbers of 32, or the like. NVIDIA's assembler keeps a short array with variable indices in registers if no access
/// is wider than its elements; vectors are as good as elements.
///
///   before: store i64 0, ptr %sums                                  (%sums = alloca [2 x float])
///   after:  store <2 x i32> zeroinitializer, ptr %sums
void storeByElements(llvm::Module& module);

}  // namespace lathe::targets
