// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages of docs/errors, which are built into the tool.
#pragma once

#include <string>

#include <lathe/result.h>

namespace lathe::tool {

/// The page of a code as Markdown: what it means, an example, what to do.
[[nodiscard]] std::string errorPage(ErrorCode code);
/// Where the page is published, if the build was told (LATHE_DOCS_URL); else empty.
[[nodiscard]] std::string errorPageUri(ErrorCode code);

}  // namespace lathe::tool
