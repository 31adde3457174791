// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of headers as one file that is part of the program: sorted names, and each header compressed by itself, so
// that a compile pays only for what it includes and nothing is kept between compiles.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "llvm/Support/VirtualFileSystem.h"

namespace lathe::detail {

/// One header in an archive; all offsets are from the archive's first byte. Little endian, as every host is.
struct ArchivedHeader {
  std::uint32_t name, nameSize;
  std::uint32_t data, dataSize;
  std::uint32_t textSize;
};
static_assert(sizeof(ArchivedHeader) == 20);

/// Packs (name, text) pairs; names are relative paths without "." or "..".
std::string packHeaders(std::vector<std::pair<std::string, std::string>> headers);

/// `archive` as the folder `root`, which must outlive the result. An empty archive is an empty file system.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> openHeaderArchive(std::string_view archive, std::string root);

/// The archive built in: own/ (Lathe's standard headers), wrap/ and v1/ (libc++; absent where the build found none).
std::string_view embeddedHeaderArchive();

}  // namespace lathe::detail
