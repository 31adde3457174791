// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace lathe::targets {

/// Gives constants without a value (empty structures, padding, the rest of a union) zeros: LLVM 22's back end makes
/// variables of them that have no initial value and no linkage, which readers of debug information in Intel's runtime
/// end the process for, and gives up where they are a part.
void giveValues(llvm::Module& module);

/// Lets initial values hold addresses inside of variables. LLVM 22's back end writes a distance in bytes as the number
/// of a member, and casts the variable's address after it has used that: so the variable becomes an array of bytes, and
/// what is cast is the address in it.
///
///   before: @at = constant ptr addrspace(4) getelementptr (i8, addrspacecast (@numbers), 8)     @numbers = [3 x i32]
///   after:  @at = constant ptr addrspace(4) addrspacecast (getelementptr (i8, @numbers, 8))     @numbers = [12 x i8]
///
/// Errors: Unsupported, for a variable that holds addresses itself.
llvm::Error addressBytes(llvm::Module& module);

}  // namespace lathe::targets
