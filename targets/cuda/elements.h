// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace lathe::targets {

/// Takes elements whose place is a variable out of short vectors, and puts them in, by selections: registers have no
/// numbers at run time, and LLVM's back end would store the vector on the stack and load the element. LLVM makes such
/// vectors of structures of which conditions choose a member, as in `s.i == 0 ? s.a : s.i == 1 ? s.b : …`.
///
///   before: %e = extractelement <4 x i32> %v, i32 %i
///   after:  %e = select (%i & 2), (select (%i & 1), %v[3], %v[2]), (select (%i & 1), %v[1], %v[0])
void chooseElements(llvm::Module& module);

}  // namespace lathe::targets
