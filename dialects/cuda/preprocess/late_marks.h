// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks that stand behind the name that they are for. CUDA's compiler takes them there, as a part of the declarator;
// Clang ends the declarator, and reads the list of parameters as something else.
//
//   int operator() __device__(int i);   is read as   int __device__ operator()(int i);
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"

namespace lathe::dialects {

/// `text` with such marks before the names, of the same length and with as many lines; empty: there are none. Behind an
/// operator's name any macro may be the mark, behind other names CUDA's own words alone are.
std::string marksBeforeNames(llvm::StringRef text);

}  // namespace lathe::dialects
