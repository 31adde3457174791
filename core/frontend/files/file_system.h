// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Clang sees as the file system of one compile: Lathe's embedded headers, the job's own headers and the user's
// resolver in front of the real one. Nothing is written to disk.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "llvm/Support/VirtualFileSystem.h"

#include <lathe/compiler.h>
#include <lathe/sdk/dialect.h>

#include "core/frontend/frontend.h"
#include "core/support/own_headers.h"

namespace lathe::detail {

/// Checks that no two of a job's headers with different texts have one name, with or without "./" in it. Errors:
/// InvalidArgument.
[[nodiscard]] Result<void> checkHeaders(const std::vector<Header>& headers);

/// `headers` are the job's, `dialectHeaders` those that the dialect brings itself.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> makeFileSystem(const std::vector<Header>& headers,
                                                               const HeaderResolver& resolver,
                                                               const FileAccess& access = {},
                                                               std::span<const sdk::DialectHeader> dialectHeaders = {});

/// The files outside of Lathe and of the job: the machine's, and those of the resolver, if there is one, before them.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> machineFiles(const HeaderResolver& resolver);

/// The folders in search order, as cc1 arguments, for a job in a dialect.
std::vector<std::string> includeArguments(const Job& job, const sdk::Dialect& dialect, bool hasResolver,
                                          const std::string& toolkit = {});

}  // namespace lathe::detail
