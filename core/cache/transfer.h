// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entries of a cache folder as one file, for another machine.
#pragma once

#include <cstdint>
#include <filesystem>

#include <lathe/result.h>

namespace lathe::detail {

class DiskCache;

/// As Cache::exportTo() and Cache::importFrom().
[[nodiscard]] Result<std::uint64_t> exportEntries(const DiskCache& disk, const std::filesystem::path& path);
[[nodiscard]] Result<std::uint64_t> importEntries(const DiskCache& disk, const std::filesystem::path& path);

}  // namespace lathe::detail
