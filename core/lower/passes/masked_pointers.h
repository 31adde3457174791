// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers whose low bits are cleared (`__builtin_align_down`, llvm.ptrmask).
#pragma once

namespace llvm {
class Module;
}

namespace lathe::detail {

/// Makes them offsets of the pointers they are made of: not every back end knows llvm.ptrmask, and LLVM's
/// InferAddressSpaces leaves one in a loop without operand.
///
///   before: %q = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 %mask)
///   after:  %a = ptrtoint ptr %p to i64     %q = getelementptr i8, ptr %p, i64 ((%a & %mask) - %a)
void offsetMaskedPointers(llvm::Module& module);

}  // namespace lathe::detail
