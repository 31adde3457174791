// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts of addresses to integers of fewer bits.
#include "dialects/cuda/lenient/addresses_as_integers.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"

namespace lathe::dialects {

AddressesAsIntegers::AddressesAsIntegers(clang::CompilerInstance& compiler, bool wanted)
    : options_(compiler.getLangOpts()), readsSo_(wanted), wanted_(wanted) {}

void AddressesAsIntegers::see(const clang::Diagnostic& info) {
  wanted_ |= info.getID() == clang::diag::err_bad_reinterpret_cast_small_int;
}

void AddressesAsIntegers::watch() {
  if (readsSo_) options_.MicrosoftExt = true;
}

void AddressesAsIntegers::HandleTranslationUnit(clang::ASTContext&) {
  if (readsSo_) options_.MicrosoftExt = false;
}

}  // namespace lathe::dialects
