// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts of addresses to integers of fewer bits, of which CUDA's compiler warns and Clang makes errors. Where a source
// has one, it is read a second time, with the extension of Microsoft's compiler that takes such casts.
//
//   unsigned bank = (unsigned)address % 128;
#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"

namespace clang {
class CompilerInstance;
class LangOptions;
}  // namespace clang

namespace lathe::dialects {

class AddressesAsIntegers final : public clang::ASTConsumer {
 public:
  /// `wanted`: an earlier reading found such a cast.
  AddressesAsIntegers(clang::CompilerInstance& compiler, bool wanted);

  /// Called for each error of device code, while Clang is where it happened.
  void see(const clang::Diagnostic& info);
  /// Called for each token: headers that were compiled beforehand are there by the first one, and had no such option.
  void watch();
  /// Templates have their instances; what is behind the end of the source is to see the options as they were.
  void HandleTranslationUnit(clang::ASTContext&) override;
  /// This reading, or one before it, found such a cast.
  [[nodiscard]] bool isWanted() const { return wanted_; }
  /// The reading found a cast that it did not take.
  [[nodiscard]] bool someFound() const { return wanted_ && !readsSo_; }

 private:
  clang::LangOptions& options_;
  const bool readsSo_;
  bool wanted_;
};

}  // namespace lathe::dialects
