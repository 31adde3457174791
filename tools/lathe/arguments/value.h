// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of kernel parameters: JSON to the bytes a type layout describes, and back.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <lathe/image.h>
#include <lathe/result.h>

#include "tools/lathe/output/output.h"

namespace lathe::tool {

/// Fills `to`, which has `type.size` zeroed bytes. Records are objects by field name (base classes' fields lie flat
/// beside the record's own; a union takes one of its members) or arrays in order; arrays and vectors are arrays,
/// of char also texts; enumerators go by their names too; pointers can only be null. `subject` opens every message and grows by the path to the value.
/// Errors: ArgumentMismatch.
[[nodiscard]] Result<void> encodeJson(const Json& value, const TypeLayout& type, std::span<std::byte> to,
                                      const std::string& subject);

/// A scalar parameter from text. Errors: ArgumentMismatch (not a number, out of range, no scalar type).
[[nodiscard]] Result<void> encodeText(std::string_view text, const TypeLayout& type, std::span<std::byte> to,
                                      const std::string& subject);

/// The value of `type` at `from`; an array of char that holds printable text is that text, an enumerator its name, a
/// pointer its address (0x…), and what has no JSON form is a string of hexadecimal digits as the bytes lie.
[[nodiscard]] Json decodeJson(const TypeLayout& type, std::span<const std::byte> from);

/// Bytes from hexadecimal digits, two a byte, blanks and '_' between them ignored. False if the text is something else.
[[nodiscard]] bool parseHex(std::string_view text, std::vector<std::byte>& out);

}  // namespace lathe::tool
