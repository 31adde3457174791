// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders that exist only inside Lathe: where Clang finds its headers, and by which locations tell them from the
// user's.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace lathe::detail {

inline constexpr const char* ownFolder = "/lathe";
inline constexpr const char* embeddedFolder = "/lathe/include";
/// The C++ library's headers, in the archive that core/frontend/files/header_archive.h describes.
inline constexpr const char* libraryFolder = "/lathe/library";
inline constexpr const char* jobHeaderFolder = "/lathe/job";
inline constexpr const char* resolverFolder = "/lathe/resolver";

/// Whether a file is a header that Lathe brings.
inline bool isOwnHeader(llvm::StringRef path) {
  return path.starts_with(embeddedFolder) || path.starts_with(libraryFolder);
}

}  // namespace lathe::detail
