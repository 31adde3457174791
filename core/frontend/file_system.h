// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Clang sees as the file system of one compile: Lathe's embedded headers, the job's own headers and the user's
// resolver in front of the real one. Nothing is written to disk.
#pragma once

#include <string>
#include <vector>

#include "llvm/Support/VirtualFileSystem.h"

#include <lathe/compiler.h>

#include "core/frontend/frontend.h"

namespace lathe::detail {

/// Folders that exist only here.
inline constexpr const char* ownFolder = "/lathe";
inline constexpr const char* embeddedFolder = "/lathe/include";
/// The C++ library's headers, in the archive that core/frontend/header_archive.h describes.
inline constexpr const char* libraryFolder = "/lathe/library";
inline constexpr const char* jobHeaderFolder = "/lathe/job";
inline constexpr const char* resolverFolder = "/lathe/resolver";

/// Whether a file is a header that Lathe brings.
inline bool isOwnHeader(llvm::StringRef path) {
  return path.starts_with(embeddedFolder) || path.starts_with(libraryFolder);
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> makeFileSystem(const std::vector<Header>& headers,
                                                               const HeaderResolver& resolver,
                                                               const FileAccess& access = {});

/// The folders in search order, as cc1 arguments, for a job.
std::vector<std::string> includeArguments(const Job& job, bool hasResolver);

}  // namespace lathe::detail
