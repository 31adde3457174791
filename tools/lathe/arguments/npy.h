// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy's .npy files (format versions 1.0 to 3.0), the arrays that `lathe run` reads and writes.
// Specification: NumPy reference, "numpy.lib.format".
#pragma once

#include <string>
#include <string_view>

#include <lathe/result.h>

#include "tools/lathe/arguments/element.h"

namespace lathe::tool {

/// Reads an array of numbers in C order, little endian. `name` stands for the file in messages. Errors: FileInvalid.
[[nodiscard]] Result<Array> parseNpy(std::string_view bytes, std::string_view name);
/// The file for `array`, version 1.0, its data aligned to 64 bytes.
[[nodiscard]] std::string npyBytes(const Array& array);

}  // namespace lathe::tool
