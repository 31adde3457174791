// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registers of PTX that say where an item is, by their names; warps of 32 threads where subgroups have 32 items or
// 64: then a warp is one half of a subgroup.
#pragma once

#include "dialects/cuda/ptx/emitter.h"

namespace lathe::dialects::ptx {

/// The value of a special register, as wide as it is. A register without a counterpart is refused.
llvm::Value* specialRegister(Emitter& emitter, llvm::StringRef name);

/// The thread's place in its warp.
llvm::Value* laneOf(Emitter& emitter);
/// The items of the subgroup, a number of 64 bits, that threads of the warp are, and the other way.
llvm::Value* itemsOf(Emitter& emitter, llvm::Value* threads);
llvm::Value* threadsOf(Emitter& emitter, llvm::Value* items);

}  // namespace lathe::dialects::ptx
