// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace lathe::targets {

/// Makes one chain of the addresses that an unrolled loop reads at equal distances known only at run time, such as a
/// matrix's column: each address is the one before plus the distance, across iterations too, as nvcc writes it. Left to
/// itself, strength reduction keeps an index of 32 bits and widens it in each iteration, on which all loads wait.
///
///   before: %i0 = k × n + column     load a[%i0]      after: %p0 = phi [first], [%p4]    load %p0
///           %i1 = (k+1) × n + column load a[%i1]             %p1 = %p0 + n               load %p1 …
///
/// Strength reduction is kept from undoing it by llvm.launder.invariant.group, which the back end drops later on.
void chainAddresses(llvm::Module& module);

}  // namespace lathe::targets
