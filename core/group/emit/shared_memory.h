// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Group-shared variables become places in the block that the launch provides, and ordinary memory in address space 0.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
class Value;
}  // namespace llvm

namespace lathe::detail {

struct SharedLayout {
  std::uint64_t bytes = 0;  ///< of the variables of static size
  bool dynamic = false;     ///< a variable of launch-defined size is used; it ends within that size behind `bytes`
};

/// Replaces, within `function`, each variable of address space `groupSpace` by its place behind `base` and every
/// pointer of that space by a generic one.
SharedLayout placeSharedVariables(llvm::Function& function, llvm::Value& base, unsigned groupSpace);

}  // namespace lathe::detail
