// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The making of precompiled preludes: by the build for those that are built in, and on the user's machine for those
// that are not.
#pragma once

#include <string>

#include <lathe/result.h>

#include "core/frontend/prelude/prelude.h"

namespace lathe::detail {

/// A prelude as Clang's serialised AST. It takes about a second. Errors: Internal, with what Clang says of the headers.
Result<std::string> makePrelude(const Dialect& dialect, PreludeScope scope);

/// The names that preludes of the dialect, its library's among them, have or ask for, of those that definitions of a
/// job could change them by (mayTouchPrelude()): one a line, each between two line breaks. Errors: as makePrelude().
Result<std::string> preludeWords(const Dialect& dialect);

}  // namespace lathe::detail
