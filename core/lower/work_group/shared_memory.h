// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Group-shared variables become places in the block that the launch provides, and ordinary memory in address space 0.
#pragma once

#include <cstdint>

#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Value;
}  // namespace llvm

namespace lathe::detail {

struct SharedLayout {
  std::uint64_t bytes = 0;  ///< of the variables of static size
  bool dynamic = false;  ///< a variable of launch-defined size is used; it begins after `bytes`, aligned for the block
};

/// Replaces, within `function`, each variable of address space `groupSpace` by its place behind `base` and every
/// pointer of that space by a generic one.
llvm::Expected<SharedLayout> placeSharedVariables(llvm::Function& function, llvm::Value& base, unsigned groupSpace);

}  // namespace lathe::detail
