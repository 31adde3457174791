// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers of libraries that are installed on the machine, as in <boost/mpl/vector.hpp>. CUDA's compiler looks for them
// in the machine's include folders, so programs name no folder for them. They are searched last, and the C library's
// own are not there: Lathe has that library's headers itself, and a mixture of the two fits neither.
#pragma once

#include <array>
#include <string_view>

#include "llvm/Support/VirtualFileSystem.h"

namespace lathe::dialects {

/// The machine's include folders, in the order of search.
inline constexpr std::array<std::string_view, 2> machineFolders = {"/usr/local/include", "/usr/include"};

/// `files`, in whose machineFolders only headers of other libraries than C's are to be seen.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> withoutMachineLibc(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

}  // namespace lathe::dialects
