// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frames: the values that travel between processes, as CBOR. A reader takes bytes from anywhere: what is no frame, or
// nests deeper than any of Lathe's values, is refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <lathe/result.h>

namespace lathe::detail {

using Json = nlohmann::json;

[[nodiscard]] std::string toFrame(const Json& json);
/// The value of a frame; of kind "discarded", which has no members, where the bytes are none.
[[nodiscard]] Json fromFrame(std::string_view bytes);
/// The error for frames that do not hold what their reader expects.
[[nodiscard]] Error brokenFrame();

/// A string that may hold any bytes. JSON's own strings are UTF-8.
[[nodiscard]] Json bytesOf(std::string_view bytes);
/// Throws Json::exception if the value holds no bytes.
[[nodiscard]] std::string stringOf(const Json& json);

[[nodiscard]] Json toJson(const std::vector<Diagnostic>& diagnostics);
/// Throws Json::exception.
[[nodiscard]] std::vector<Diagnostic> diagnosticsFrom(const Json& json);
[[nodiscard]] Json toJson(const Error& error);
/// Throws Json::exception.
[[nodiscard]] Error errorFrom(const Json& json);

/// An error as a frame, and back; broken bytes give brokenFrame().
[[nodiscard]] std::string encodeError(const Error& error);
[[nodiscard]] Error decodeError(std::string_view bytes);

}  // namespace lathe::detail
