// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One entry of the cache as the bytes of a file: compressed, and covered by a digest together with its own key, so that
// an entry under a wrong name is as bad as a damaged one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lathe::detail {

/// `key`: 32 bytes.
[[nodiscard]] std::string packEntry(std::string_view key, std::string_view value);
/// What packEntry() was given, or nothing if `file` is not the whole entry of `key`.
[[nodiscard]] std::optional<std::string> unpackEntry(std::string_view key, std::string_view file);

}  // namespace lathe::detail
