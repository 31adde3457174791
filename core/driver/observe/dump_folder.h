// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include <lathe/compiler.h>

namespace lathe::detail {

/// The environment variable with the folder that every compile is dumped to.
inline constexpr const char* dumpFolderVariable = "LATHE_DUMP_DIR";

/// Writes the IR after each stage (`NN-STAGE.ll`) and the image's codes (`code.FORMAT`) of a compile into a folder of
/// its own in `folder`, named after source, target, architecture and job; of a failed one, the stages before the one
/// that failed, and the architecture as the job has it. Errors: FileUnwritable.
Result<void> dumpInto(const std::string& folder, const Job& job, const Result<CompileResult>& result);

}  // namespace lathe::detail
