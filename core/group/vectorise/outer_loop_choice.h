// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops over items are to take the iterations of a loop inside together (outer_loop.h).
#pragma once

#include <optional>

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class Loop;
}

namespace lathe::detail {

struct OuterLoop {
  llvm::Loop* items = nullptr;
  llvm::Loop* iterations = nullptr;
  llvm::PHINode* x = nullptr;
  llvm::Instruction* next = nullptr;  ///< x + 1
  llvm::Value* end = nullptr;
  unsigned width = 0;  ///< of a strip
};

/// What `loop` is if it is such a loop and taking iterations together is much faster than one by one.
std::optional<OuterLoop> readOuterLoop(llvm::Loop& loop, const llvm::TargetTransformInfo& costs,
                                       const llvm::TargetLibraryInfo& library);

}  // namespace lathe::detail
