// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector mathematics: the functions that LLVM's vectoriser may call.
#pragma once

#include <string>

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Target/TargetMachine.h"

namespace llvm {
class Module;
}

namespace lathe::detail {

/// Tells the vectoriser of the vector functions of the library of that name that run on the machine; of none if it is
/// empty.
void addVectorMath(llvm::TargetLibraryInfoImpl& library, const std::string& name, const llvm::TargetMachine& machine,
                   const llvm::Module& module);

}  // namespace lathe::detail
