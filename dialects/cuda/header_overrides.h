// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers that Lathe has in place of a toolkit's. Programs name the toolkit's folder among their include folders; its
// own headers would then be found before Lathe's and declare anew what the prelude has.
#pragma once

#include <span>
#include <string_view>

#include "llvm/Support/VirtualFileSystem.h"

#include <lathe/sdk/dialect.h>

namespace lathe::dialects {

/// The driver's interface, which is C and nothing of a compiler's: a toolkit's is newer and whole.
inline constexpr std::string_view driverHeader = "cuda.h";

/// `files.files` with a change: in those of the job's include folders that are the toolkit's, by the file `mark` in
/// them, headers that Lathe has under the same name have Lathe's text. Those whose names begin with one of `libraries`
/// are taken from the toolkit all the same; `libraries` stays valid. In `files.toolkitDir` nothing but these is to be
/// seen, and the driver's header.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> withHeaderOverrides(sdk::DialectFiles files, std::string_view mark,
                                                                    std::span<const std::string_view> libraries);

}  // namespace lathe::dialects
