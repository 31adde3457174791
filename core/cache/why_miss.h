// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reason why a job is not in the cache, for people.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"

#include <lathe/compiler.h>

namespace lathe::detail {

class CompileCache;
struct CompileKey;
struct MachineNow;

/// The paths of the files that a job reads, found out now.
using FilesOfJob = llvm::function_ref<std::vector<std::string>()>;

/// As Compiler::whyMiss().
[[nodiscard]] Result<std::vector<std::string>> whyMiss(const CompileCache& cache, const CompileKey& key, const Job& job,
                                                       const MachineNow& now, FilesOfJob filesOf);

}  // namespace lathe::detail
