// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which files a compile reads, written down, and a file system that has those and no others.
#pragma once

#include <vector>

#include "llvm/Support/VirtualFileSystem.h"

#include <lathe/compiler.h>

namespace lathe::detail {

class FileLog;

/// `files`, with each regular file that somebody looks at in `record`. Files that are one file (links, other
/// spellings) are recorded as such, because `#pragma once` depends on it. The first `kept` files of `record` stay: they
/// are of sources before this one.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> recorded(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                                         std::vector<InputFile>& record, std::size_t kept);

/// `files`, with what is learned of each path in `log`, which outlives the result.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> logged(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                                       FileLog& log);

/// The files of a record, in its working directory.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> replayedFiles(const CompileRecord& record);

}  // namespace lathe::detail
