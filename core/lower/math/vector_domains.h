// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands that a library's vector functions compute one by one.
#pragma once

namespace llvm {
class Module;
}

namespace lathe::detail {

/// Keeps from a library's vector functions what they would hand to the scalar ones, an element at a time: numbers
/// whose exponential is zero or infinite, logarithms and powers of negative numbers. glibc's take ten times as long then
/// (5.4 ns for 0.5 ns an element). Where a vector has such an element, its place is taken by a harmless number, and
/// what it gives is chosen by comparisons, as C's Annex F has it; other vectors pay for one comparison and a branch.
///
///   before: %y = call @_ZGVdN4v_log(%x)
///   after:  br (all of %x are numbers above zero), fast, slow
///           fast: %a = call @_ZGVdN4v_log(%x)
///           slow: %s = select (%x above zero), %x, 1   %b = call @_ZGVdN4v_log(%s)   %c = select …, %b, NaN …
///           %y = phi [%a, fast], [%c, slow]
///
/// Functions are told by their names of the vector function ABI.
void guardVectorMath(llvm::Module& module);

}  // namespace lathe::detail
