// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The outcome of a compile, an error or not, as bytes: the answer of a worker, and an entry of the cache.
#pragma once

#include <string>
#include <string_view>

#include <lathe/compiler.h>

namespace lathe::detail {

struct FileLooks;
struct FrontendReuse;

/// `record`, `files`, `reuse`: null if they were not wanted.
std::string encodeCompileResult(const Result<CompileResult>& result, const CompileRecord* record,
                                const FileLooks* files = nullptr, const FrontendReuse* reuse = nullptr);
/// `record`, `files` and `reuse`, if not null, are filled also when the result is an error.
Result<CompileResult> decodeCompileResult(std::string_view bytes, CompileRecord* record, FileLooks* files = nullptr,
                                          FrontendReuse* reuse = nullptr);

}  // namespace lathe::detail
