// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions whose declarations disagree about the side they are for. CUDA's compiler takes one that is marked in its
// class, or in a header, and not where it is defined, for both sides; Clang takes the two for different functions, and
// the member's definition for an error. What is marked in one place only is found while the source is read a first
// time; a second time it is read as if it were marked for both sides everywhere. So are constructors for the device
// with which host code makes objects between braces.
//
//   struct Ray { __device__ float at(float t) const; };      is read as   __host__ __device__ in both places
//   inline float Ray::at(float t) const { … }
#pragma once

#include <cstddef>
#include <vector>

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/ADT/SmallPtrSet.h"

#include "dialects/cuda/places.h"

namespace clang {
class CompilerInstance;
class FunctionDecl;
class SourceManager;
class Token;
class Type;
}  // namespace clang

namespace lathe::dialects {

/// Whether any declaration of `function` so far is for the device.
[[nodiscard]] bool isEverForDevice(const clang::FunctionDecl& function);

/// Finds such functions, or reads those that were found. Sees the tree before code generation does.
class SidesOfFunctions final : public clang::SemaConsumer {
 public:
  /// `forBothSides`: found by an earlier reading.
  SidesOfFunctions(clang::CompilerInstance& compiler, Places forBothSides);

  /// Called for each error, while Clang is where it happened.
  void see(const clang::Diagnostic& info);
  /// Called for each note of an error: a function of the host that an operand which is not evaluated calls, in the body
  /// of an instance (UnevaluatedOperands), is read for both sides.
  void seeNote(const clang::Diagnostic& info);
  /// This is another reading.
  [[nodiscard]] bool isAgain() const { return !forBothSides_.empty(); }
  /// Called for each token of another reading: marks what is declared from a name that was found to the end of the
  /// declaration.
  void watch(const clang::Token& token);
  /// What is to be read for both sides in another reading; empty: this one stands.
  [[nodiscard]] Places take() { return std::move(found_); }

  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleTranslationUnit(clang::ASTContext& ast) override;

 private:
  void leaveIfUnused();
  void addConstructors(const clang::Type& type);
  void addBoth(const clang::FunctionDecl& function, clang::SourceLocation other);
  void note(const clang::Decl& declaration);

  const clang::SourceManager& sources_;
  clang::Sema* sema_ = nullptr;
  Places forBothSides_;
  Places found_;
  std::vector<const clang::FunctionDecl*> declared_;         ///< without a body
  llvm::SmallPtrSet<const clang::FunctionDecl*, 4> called_;  ///< from the other side
  /// The declaration that is being read for both sides: how many brackets are open in it.
  std::size_t open_ = 0;
  enum class Reading { nothing, declaration, end } reading_ = Reading::nothing;
};

}  // namespace lathe::dialects
