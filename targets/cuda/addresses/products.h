// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}  // namespace llvm

namespace lathe::targets {

/// Multiplies once what several indices have in common that are products with a constant, as an unrolled loop has them
/// over structures or rows. LLVM splits constants off sums, but not off products of sums; each address is then one of
/// its own, and no offset of an instruction.
///
///   before: %j1 = or disjoint i32 %j, 1                  after: %p = mul nuw nsw i32 %j, 3
///           %i0 = mul nuw nsw i32 %j, 3    a[zext %i0]          a[zext %p]
///           %i1 = mul nuw nsw i32 %j1, 3   a[zext %i1]          %i1 = add nuw nsw i32 %p, 3   a[zext %i1]
void splitProducts(llvm::Module& module);

}  // namespace lathe::targets
