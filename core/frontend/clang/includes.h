// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers as a source asks for them: a source that asks for none is the same on every machine.
#pragma once

#include <memory>

#include <lathe/sdk/dialect.h>

namespace clang {
class PPCallbacks;
class Preprocessor;
}  // namespace clang

namespace lathe::detail {

/// The files that a source, or a header of it, includes, embeds, or asks for (`__has_include`).
struct Includes {
  bool any = false;
  bool ofToolkit = false;          ///< a header that the dialect's toolkit may have
  bool ofToolkitBySource = false;  ///< one of its libraries, included by a file that is no system header
};

/// Notes them in `seen`, which outlives the preprocessor.
[[nodiscard]] std::unique_ptr<clang::PPCallbacks> watchIncludes(const clang::Preprocessor& preprocessor,
                                                                const sdk::Dialect& dialect, Includes& seen);

}  // namespace lathe::detail
