// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros with which a library says that Clang compiles it as CUDA, and by which it leaves out what Clang's own CUDA
// support could not compile once. Lathe can, and reads them as 0: CUTLASS has no kernels for Blackwell otherwise, and
// passes the parameters of its kernels without `__grid_constant__`.
#pragma once

namespace clang {
class Preprocessor;
}

namespace lathe::dialects {

void readLibraryMacros(clang::Preprocessor& preprocessor);

}  // namespace lathe::dialects
