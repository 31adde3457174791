// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace lathe::detail {

/// Lets functions return all bytes of unions. Clang's ABI of the neutral triple returns a structure as its fields, and
/// a union as those of its largest member: what is a hole in that is lost of the others. Structures with integers of
/// 128 bits are returned in the same way, because targets lay them out in different ones.
///
///   before: %v = load %union.U, ptr %retval    ret %union.U %v       (%union.U = type { { i32, i64 } })
///   after:  %v = load [2 x i64], ptr %retval   ret [2 x i64] %v
void returnWholeUnions(llvm::Module& module);

}  // namespace lathe::detail
