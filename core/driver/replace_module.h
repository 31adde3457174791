// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stage's result out of a file (CompileRequest::replaceAt).
#pragma once

#include <filesystem>

#include "llvm/Support/Error.h"

namespace lathe::detail {

struct Lowering;

/// Puts the IR text of a file in the place of the module. Errors: InvalidModule; UnknownKernel: it lacks an entry.
llvm::Error replaceModule(Lowering& lowering, const std::filesystem::path& path);

}  // namespace lathe::detail
