// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code objects of AMD GPUs that other compilers made.
#pragma once

#include <string_view>
#include <vector>

#include <lathe/image.h>
#include <lathe/result.h>

namespace lathe::targets {

/// The kernels of a code object with their explicit parameters. Those passed by value are opaque bytes, and what
/// pointers point to is not known. Errors: FileInvalid.
[[nodiscard]] Result<std::vector<EntryPoint>> entriesOfCodeObject(std::string_view code);

}  // namespace lathe::targets
