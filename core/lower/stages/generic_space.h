// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generic pointers outside address space 0, for targets whose space 0 is something else.
#pragma once

#include <cstdint>

#include "llvm/Support/Error.h"

namespace llvm {
class GlobalVariable;
class Module;
}  // namespace llvm

namespace lathe::detail {

struct AddressSpaces;

/// Gives every generic pointer of portable IR the number `spaces.generic` and every group pointer `spaces.group`, in
/// types, values, constants, attributes and metadata; variables move to the spaces of `spaces`. Allocas are left in the
/// generic space for the caller to move. Errors: Unsupported for addresses of labels, which no device has.
llvm::Error moveGenericPointers(llvm::Module& module, const AddressSpaces& spaces);

/// Marks the largest of the read-only variables that hosts do not set where all together would be more than the
/// constant space holds: they live in global memory. To be called before any variable is moved.
void keepConstantsWithin(llvm::Module& module, std::uint64_t bytes);

/// The space a variable of portable IR lives in on a target.
unsigned spaceOf(const llvm::GlobalVariable& variable, const AddressSpaces& spaces);

}  // namespace lathe::detail
