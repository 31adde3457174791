// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One entry of the cache as the bytes of a file: compressed, and covered by a digest together with its own key, so that
// an entry under a wrong name is as bad as a damaged one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lathe::detail {

/// `key`: 32 bytes.
[[nodiscard]] std::string packEntry(std::string_view key, std::string_view value);
/// What no entry reaches, so that a lie about the size costs no memory.
constexpr std::uint64_t mostEntryBytes = std::uint64_t{1} << 32U;
/// What packEntry() was given, or nothing if `file` is not the whole entry of `key`, or says to be larger than `most`.
[[nodiscard]] std::optional<std::string> unpackEntry(std::string_view key, std::string_view file,
                                                     std::uint64_t most = mostEntryBytes);

}  // namespace lathe::detail
