// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#pragma nounroll`, which Clang follows and CUDA's compiler does not know. Programs that have it were tuned with the
// loop unrolled, and their arrays are registers only then.
#pragma once

namespace clang {
class Preprocessor;
}

namespace lathe::dialects {

/// Takes the pragma for none, with a warning, as CUDA's compiler does.
void forgetUnknownPragmas(clang::Preprocessor& preprocessor);

}  // namespace lathe::dialects
