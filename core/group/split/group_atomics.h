// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics on group-shared memory. One thread runs all items of a group, so they need not be atomic: what is left are a
// load, the operation and a store.
#pragma once

#include "llvm/IR/Function.h"

namespace lathe::detail {

/// Whether `pointer` certainly points into the memory that `memory` is the beginning of.
bool pointsInto(const llvm::Value& pointer, const llvm::Value& memory);

/// Makes plain accesses of the atomic ones that certainly touch the memory `shared` points to, and only this.
///
///   before: %old = atomicrmw add ptr %bin, i32 1 syncscope("workgroup") monotonic    ; %bin = getelementptr %shared, …
///   after:  %old = load i32, ptr %bin
///           %new = add i32 %old, 1
///           store i32 %new, ptr %bin
void relaxGroupAtomics(llvm::Function& function, const llvm::Value& shared);

}  // namespace lathe::detail
