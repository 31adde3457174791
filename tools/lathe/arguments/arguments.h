// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language of `lathe run --arg`: one text for each kernel parameter, read against the parameter's type in the
// image.
//
//   3  -0.5  0x1f  inf  true                scalars
//   @in.npy                                 a pointer to the file's array
//   zeros:f32[64,64]  ones:…  iota:…        a pointer to a new array
//   random:f32[1024],seed=7                 floats in [0,1), integers in [0,100)
//   json:{"x": 1, "y": [2, 3]}  hex:0a0b…   aggregates; json:[…] for a pointer makes the array it points to
//   null                                    a null pointer
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <lathe/image.h>
#include <lathe/result.h>

#include "tools/lathe/arguments/element.h"

namespace lathe::tool {

/// One argument, ready to launch: the bytes of a value, or the array that a pointer shall point to.
struct Argument {
  std::vector<std::byte> value;  ///< type.size bytes; of pointers zero until there is an address
  std::optional<Array> array;
};

/// Reads `text` for parameter `index`. Errors: ArgumentMismatch (form, type or range), FileInvalid, FileUnreadable.
[[nodiscard]] Result<Argument> parseArgument(std::string_view text, const Parameter& parameter, std::size_t index);

/// All arguments of `entry`. Errors: those of parseArgument, and ArgumentMismatch with the signature for a wrong count.
[[nodiscard]] Result<std::vector<Argument>> parseArguments(const std::vector<std::string>& texts,
                                                           const EntryPoint& entry);

/// "saxpy(unsigned n, float a, const float * x, float * y)"
[[nodiscard]] std::string signatureOf(const EntryPoint& entry);

/// The parameter meant by a position from 0 or by a name. Errors: ArgumentMismatch, with the names there are.
[[nodiscard]] Result<std::size_t> parameterNamed(std::string_view text, const EntryPoint& entry);

}  // namespace lathe::tool
