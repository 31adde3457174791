// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How Clang is set up.
#include "core/frontend/clang/clang_arguments.h"

namespace lathe::detail {

std::vector<std::string> fixedArguments(const Dialect& dialect, const std::string& languageStandard) {
  std::vector<std::string> out(dialect.clangArguments.begin(), dialect.clangArguments.end());
  // -O2 without passes: what optimisation will need (lifetimes, TBAA) is emitted, and nothing is optimised yet.
  // -fno-builtin: in some dialects Clang does not know a device function called sinf as the library's. Import knows the
  // names of mathematics itself, the same in every dialect, and Clang has fewer names to enter.
  // -fno-cxx-modules: a kernel's source is one text; with modules Clang enters thousands of builtins' names in every
  // compile, without them it takes them from the prelude as it meets them.
  // -complex-range=basic: products of std::complex as written out; else Clang calls a function of its run-time library.
  for (const char* argument : {"-O2", "-disable-llvm-passes", "-ffp-contract=fast", "-fgnuc-version=4.2.1",
                               "-nostdsysteminc", "-fno-threadsafe-statics", "-fno-builtin", "-fcheck-new",
                               "-fno-cxx-modules", "-complex-range=basic", "-fdeprecated-macro", "-ferror-limit", "100",
                               "-ftemplate-depth=512", "-Wno-pragma-once-outside-header", "-D__LATHE__=1"}) {
    out.emplace_back(argument);
  }
  out.push_back("-std=" + languageStandard);
  return out;
}

}  // namespace lathe::detail
