// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls through pointers as choices among the functions that they can reach: for functions that become part of their
// kernel, or take a parameter that pointers do not know of, and for machines without addresses of functions.
//
//   before: @table = constant [2 x ptr] [ptr @own, ptr @twice]     %y = call float %f(ptr %x)
//   after:  @table = constant [2 x i64] [i64 2, i64 4]
//           switch i64 %number, label %other [i64 2, label %own  i64 4, label %twice]
//
// The module must be closed: what is not in it can neither call its functions nor be called. GPU compilers for machines
// without calls do the same for virtual functions.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include "core/lower/calls.h"

namespace lathe::detail {

/// Gives each function that `find` finds and whose address is used otherwise than for a call a number for its address,
/// and makes each call through a pointer that may mean one of them, by its type, a choice; again for what `find` finds
/// then, which may be a set of callers. With `complete`, calls reach nothing else; otherwise other pointers are called
/// as before. The functions are replaced. Kernels and exported functions keep their addresses, which others know, and
/// so do those that an alias names.
void callByNumber(llvm::Module& module, llvm::function_ref<FunctionSet()> find, bool complete);

}  // namespace lathe::detail
