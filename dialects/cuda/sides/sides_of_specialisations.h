// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explicit specialisations of function templates that leave out the side that the template is for. CUDA's compiler
// takes such a one for the template's sides; Clang finds no template for it, and calls would get what the template
// says. They are found while the source is read a first time; a second time the template's marks count as implied while
// Clang looks for it, and the specialisation inherits them.
//
//   template <class T> __device__ int id() { return -1; }
//   template <> inline int id<int>() { return 4; }             is read as   template <> __device__ inline int id<int>()
#pragma once

#include <vector>

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Token.h"
#include "clang/Sema/SemaConsumer.h"

#include "dialects/cuda/places.h"

namespace clang {
class Attr;
class CompilerInstance;
class DeclContext;
}  // namespace clang

namespace lathe::dialects {

class SidesOfSpecialisations final : public clang::SemaConsumer {
 public:
  /// `places`: of the names of specialisations, found by an earlier reading.
  SidesOfSpecialisations(clang::CompilerInstance& compiler, Places places);

  /// Called for each error, while Clang is where it happened.
  void see(const clang::Diagnostic& info);
  /// Called for each token.
  void watch(const clang::Token& token);
  /// The reading found some that it took for specialisations of nothing.
  [[nodiscard]] bool someFound() const { return someFound_; }
  /// All places, those of earlier readings too.
  [[nodiscard]] Places take() { return std::move(places_); }

  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }

 private:
  void implyMarks(const clang::Token& name);
  void restoreMarks();

  const clang::SourceManager& sources_;
  clang::Sema* sema_ = nullptr;
  Places places_;
  bool isAgain_;
  bool someFound_ = false;
  /// The names before the last `::`, outermost first, and whether a name comes next.
  std::vector<const clang::IdentifierInfo*> scope_;
  bool isBehindColons_ = false;
  std::vector<clang::Attr*> implied_;  ///< while a specialisation's declaration is read
  bool isAtEnd_ = false;               ///< of that declaration
};

}  // namespace lathe::dialects
