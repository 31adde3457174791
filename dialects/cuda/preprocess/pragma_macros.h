// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros whose replacement is a directive: `#define UNROLL #pragma unroll`. To C++ the result is no directive;
// compilers that preprocess first and read the text again take it for one, and programs count on it.
//
//   #define UNROLL #pragma unroll   is read as   #define UNROLL _Pragma("unroll")
#pragma once

namespace clang {
class Preprocessor;
}

namespace lathe::dialects {

void readPragmaMacros(clang::Preprocessor& preprocessor);

}  // namespace lathe::dialects
