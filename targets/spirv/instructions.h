// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL's instructions for what LLVM's IR says in several.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace lathe::targets {

/// Makes one value of equal ones. LLVM leaves that to its code generator, which makes SPIR-V without optimisation.
void mergeEqualValues(llvm::Module& module, llvm::TargetMachine& machine);

/// Makes a reciprocal of a root that may be approximate `rsqrt`, and two shifts that rotate `rotate`: functions of
/// OpenCL C, for each of which SPIR-V has one instruction. A product and a sum that may be fused stay two: `mad` has no
/// bound for its error, and drivers fuse by themselves.
void useInstructions(llvm::Module& module);

/// Copies between places that may overlap as loops: LLVM 22's back end makes OpCopyMemorySized of them, as of others,
/// for which SPIR-V says that the places must not overlap.
void splitMoves(llvm::Module& module, llvm::TargetMachine& machine);

/// Truncated numbers that are widened again, but not to what they were, as conjunctions: LLVM 22's selection masks the
/// wide number in their place, with operands of two widths, which SPIR-V has no instruction for.
///
///   before: %t = trunc i64 %x to i16      %w = zext i16 %t to i32
///   after:  %t = trunc i64 %x to i32      %w = and i32 %t, 65535
void maskTruncated(llvm::Module& module);

/// Counts the elements of an array by the type that is loaded from it or stored to it, where a structure of the same
/// size stood: pointers have types in SPIR-V, and are cast from one to another by an instruction each.
///
///   before: %p = getelementptr %struct.float4, ptr addrspace(1) %from, i64 %i    load <4 x i32>, ptr addrspace(1) %p
///   after:  %p = getelementptr <4 x i32>, ptr addrspace(1) %from, i64 %i         load <4 x i32>, ptr addrspace(1) %p
void indexByAccess(llvm::Module& module);

}  // namespace lathe::targets
