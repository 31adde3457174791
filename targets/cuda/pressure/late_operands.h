// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace lathe::targets {

class LiveRegisters;

/// Moves cheap computations on integers and addresses down to their first use, in the function's blocks that keep more
/// numbers than a thread should have registers for, if what they are made of takes no more registers until then than
/// they do. LLVM leaves them where the program has them: of a function that writes its results through references, the
/// addresses are computed before all else.
///
///   before: %p = getelementptr …  %q = getelementptr %p, %n  … 500 instructions …  store %p  …  store %q
///   after:  … 500 instructions …  %p = getelementptr …  store %p  …  %q = getelementptr %p, %n  store %q
///
/// Returns true if anything changed.
bool computeLate(const LiveRegisters& lives);

}  // namespace lathe::targets
