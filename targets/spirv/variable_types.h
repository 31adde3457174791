// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace lathe::targets {

/// Keeps the types of local variables that hold addresses. LLVM 22's back end deduces what a pointer leads to from its
/// uses, and where addresses are loaded from a variable or stored to it, takes the variable for one of an address
/// alone: an array of three had room for one (llvm-project issue 91998, pull request 203113).
///
/// Alignments become types, too: for a device that keeps the variables of several items side by side, those of an odd
/// size would not be aligned.
///
///   before: store ptr %a, ptr %array                                 (%array = alloca [3 x ptr])
///   after:  %begin = getelementptr [3 x ptr], ptr %array, i64 0      store ptr %a, ptr %begin
///
///   before: %words = alloca <{ i32, double }>, align 8
///   after:  %words = alloca [2 x i64], align 8
void keepVariableTypes(llvm::Module& module);

}  // namespace lathe::targets
