// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector mathematics: the functions that LLVM's vectoriser may call.
#pragma once

#include <string>

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Triple.h"

namespace lathe::detail {

/// Tells the vectoriser of the vector functions of the library of that name; of none if it is empty.
void addVectorMath(llvm::TargetLibraryInfoImpl& library, const std::string& name, const llvm::Triple& triple);

}  // namespace lathe::detail
