// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers that Lathe has in place of a toolkit's. Programs name the toolkit's folder among their include folders; its
// own headers would then be found before Lathe's and declare anew what the prelude has.
#pragma once

#include <string>
#include <vector>

#include "llvm/Support/VirtualFileSystem.h"

namespace lathe::detail {

struct Dialect;

/// `files`, which has Lathe's headers too; in those of `folders` that are the dialect's toolkit, headers that Lathe has
/// under the same name have Lathe's text.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> withHeaderOverrides(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, const std::vector<std::string>& folders,
    const Dialect& dialect);

}  // namespace lathe::detail
