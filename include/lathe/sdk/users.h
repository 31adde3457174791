// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Help for hooks that change some of a module's functions: which ones use a value.
#pragma once

#include "llvm/ADT/SetVector.h"

#include <lathe/export.h>

namespace llvm {
class Function;
class Value;
}  // namespace llvm

namespace lathe::sdk {

/// Functions in the order in which they were found.
using FunctionSet = llvm::SetVector<llvm::Function*>;

/// Adds the functions whose instructions use `value`, also by way of constant expressions. Calls for one module may not
/// run at the same time as changes of it.
LATHE_API void addUsers(const llvm::Value& value, FunctionSet& functions);

}  // namespace lathe::sdk
