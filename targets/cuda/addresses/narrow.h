// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace lathe::targets {

/// Computes numbers made of addresses in shared memory with 32 bits, where no more of the address counts: operands of
/// inline assembly ("r"(address)), descriptors of tiles for matrix instructions. LLVM's addresses have 64 bits in every
/// space, and NVIDIA's assembler (ptxas 13.0) does not find out that half of them is not wanted. A loop of `wgmma`
/// waits for this arithmetic in each iteration.
///
///   before: %p = getelementptr i64, ptr addrspace(3) @barriers, i64 %stage
///           %n = ptrtoint ptr addrspace(3) %p to i64      trunc i64 %n to i32
///   after:  %b = ptrtoint ptr addrspace(3) @barriers to i32
///           %i = trunc i64 %stage to i32    %o = mul i32 %i, 8    add i32 %b, %o
void narrowAddresses(llvm::Module& module);

}  // namespace lathe::targets
