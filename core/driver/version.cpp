// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Versions of this library and of the front end that it is built with.
#include <string>
#include <string_view>

#include "clang/Basic/Version.h"

#include <lathe/compiler.h>

namespace lathe {

std::string_view version() noexcept {
  return LATHE_VERSION;
}

std::string compilerVersion() {
  return "clang " + std::string(CLANG_VERSION_STRING);
}

}  // namespace lathe
