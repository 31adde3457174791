// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose brackets an editor took apart. CUDA's compiler reads `<< <` and `>> >` as it does `<<<` and `>>>`;
// Clang knows the brackets as one word each, would drop the launch as host code that it does not understand, and with
// it the kernel of which only the launch makes an instance. Visual Studio's formatter writes them so.
//
//   scale<float> << <blocks, 32 >> > (values);   is read as   scale<float>  <<<blocks, 32  >>> (values);
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"

namespace clang {
class Preprocessor;
}

namespace lathe::dialects {

/// `text` with such brackets as one word, of the same length and with the same lines; empty: there are none.
std::string joinLaunchBrackets(llvm::StringRef text);

/// Lets the source and the headers that it includes be read so, with the commas of operand_commas.h and the marks of
/// late_marks.h.
void readSpacedLaunches(clang::Preprocessor& preprocessor);

}  // namespace lathe::dialects
