// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts of addresses to integers of fewer bits.
#include "dialects/cuda/lenient/addresses_as_integers.h"

#include <utility>

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"

namespace lathe::dialects {

AddressesAsIntegers::AddressesAsIntegers(clang::CompilerInstance& compiler, Places places)
    : sources_(compiler.getSourceManager()),
      options_(compiler.getLangOpts()),
      places_(std::move(places)),
      isAgain_(!places_.empty()) {}

void AddressesAsIntegers::see(const clang::Diagnostic& info) {
  if (info.getID() == clang::diag::err_bad_reinterpret_cast_small_int && info.getLocation().isValid())
    someFound_ |= places_.add(sources_, info.getLocation());
}

void AddressesAsIntegers::watch(const clang::Token& token) {
  if (!isAgain_ || token.isAnnotation() || token.getLocation().isInvalid()) return;
  // Clang reads one token further than the statement before it looks at the statement's last cast.
  if (isOn_ && isAtEnd_) options_.MicrosoftExt = isOn_ = false;
  isAtEnd_ = token.isOneOf(clang::tok::semi, clang::tok::l_brace, clang::tok::r_brace);
  if (places_.has(sources_, token.getLocation())) options_.MicrosoftExt = isOn_ = true;
}

}  // namespace lathe::dialects
