// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles that end before lowering: portable IR of kernels, for any target, and of one source, for a linker.
#pragma once

#include <string_view>

#include "llvm/Support/Error.h"

#include <lathe/job.h>

namespace lathe::detail {

struct Lowering;

/// True if the job asks for IR of the front end, "portable" or "relocatable", and not for code.
[[nodiscard]] bool isUnlowered(const Job& job);
/// True if such a job's compile ends before that stage.
[[nodiscard]] bool endsBefore(const Job& job, std::string_view stage);

/// Keeps, for a "relocatable" job, the module as the front end left it: only that can be linked with others and then
/// lowered as if all were one source.
void keepRelocatable(Lowering& lowering);
/// Makes the image.
llvm::Error finishUnlowered(Lowering& lowering);

}  // namespace lathe::detail
