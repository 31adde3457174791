// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}  // namespace llvm

namespace lathe::targets {

/// Extends an index in one way. LLVM writes `zext nneg` where it knows that an index is not negative and `sext` where it
/// does not, often of the same index in two accesses to one array; these are then addresses of two registers, and
/// NVIDIA's assembler, which tells accesses apart by their offsets from one, leaves the loads of one behind the stores
/// of the other. An index that both extend, but for constants added to it, is extended by `sext`.
///
///   before: %w = zext nneg i32 %i to i64                after: %w = sext i32 %i to i64
///           %j = add nuw nsw i32 %i, 1                         %j = add nuw nsw i32 %i, 1
///           %v = sext i32 %j to i64                            %v = sext i32 %j to i64
void extendAlike(llvm::Module& module);

}  // namespace lathe::targets
