// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts of addresses to integers of fewer bits, of which CUDA's compiler warns and Clang makes errors. They are found
// while the source is read a first time. A second time Clang takes each as Microsoft's compiler does: for the extension
// it has an option, which is on from the cast to the end of its statement.
//
//   unsigned bank = (unsigned)address % 128;
#pragma once

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Token.h"

#include "dialects/cuda/places.h"

namespace clang {
class CompilerInstance;
class LangOptions;
}  // namespace clang

namespace lathe::dialects {

class AddressesAsIntegers {
 public:
  /// `places`: of casts, found by an earlier reading.
  AddressesAsIntegers(clang::CompilerInstance& compiler, Places places);

  /// Called for each error of device code, while Clang is where it happened.
  void see(const clang::Diagnostic& info);
  /// Called for each token.
  void watch(const clang::Token& token);
  /// The reading found a cast that it did not take.
  [[nodiscard]] bool someFound() const { return someFound_; }
  /// All places, those of earlier readings too.
  [[nodiscard]] Places take() { return std::move(places_); }

 private:
  const clang::SourceManager& sources_;
  clang::LangOptions& options_;
  Places places_;
  bool isAgain_, someFound_ = false;
  bool isOn_ = false, isAtEnd_ = false;  ///< within a statement with such a cast; at its last token
};

}  // namespace lathe::dialects
