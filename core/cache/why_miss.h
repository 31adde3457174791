// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reason why a job is not in the cache, for people.
#pragma once

#include <string>
#include <vector>

#include <lathe/compiler.h>

namespace lathe::detail {

class CompileCache;
struct CompileKey;
struct MachineNow;

/// As Compiler::whyMiss().
[[nodiscard]] Result<std::vector<std::string>> whyMiss(const CompileCache& cache, const CompileKey& key, const Job& job,
                                                       const MachineNow& now);

}  // namespace lathe::detail
