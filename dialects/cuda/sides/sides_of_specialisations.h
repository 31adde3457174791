// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explicit specialisations that say something else of their sides, or of constexpr, than what they specialise. CUDA's
// compiler takes such a function for its own sides and the template's; Clang finds no template for it, and calls would
// get what the template says. They are found while the source is read a first time. A second time the template's marks
// are those of the specialisation while Clang looks for the template, and the specialisation inherits the others.
//
//   template <class T> __device__ int id() { return -1; }
//   template <> inline int id<int>() { return 4; }             is read as   template <> __device__ inline int id<int>()
//
// Members of class templates that are specialised without their class may differ in constexpr ([dcl.constexpr]), which
// Clang knows of function templates only: the member is what the specialisation says while Clang compares the two.
//
//   template <class K> struct Hash { __device__ constexpr int operator()(K) const { return -1; } };
//   template <> __device__ inline int Hash<bool>::operator()(bool) const { return 1; }
#pragma once

#include <utility>
#include <vector>

#include "clang/AST/DeclarationName.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/Specifiers.h"
#include "clang/Lex/Token.h"
#include "clang/Sema/SemaConsumer.h"

#include "dialects/cuda/places.h"

namespace clang {
class Attr;
class CompilerInstance;
class CXXMethodDecl;
class DeclContext;
class FunctionDecl;
}  // namespace clang

namespace lathe::dialects {

/// True for an instance of a class template, whose members may be specialised one by one.
[[nodiscard]] bool isInstance(const clang::DeclContext& scope);

class SidesOfSpecialisations final : public clang::SemaConsumer {
 public:
  /// `places`: of the names of specialisations, found by an earlier reading.
  SidesOfSpecialisations(clang::CompilerInstance& compiler, Places places);

  /// Called for each error, while Clang is where it happened.
  void see(const clang::Diagnostic& info);
  /// Called for each token.
  void watch(const clang::Token& token);
  /// True if `info` is about a specialisation that matches none of the device's functions of its name, marks apart:
  /// kernels would get what the template says.
  [[nodiscard]] bool isUnmatched(const clang::Diagnostic& info);
  /// The reading found some that it took for specialisations of nothing.
  [[nodiscard]] bool someFound() const { return someFound_; }
  /// All places, those of earlier readings too.
  [[nodiscard]] Places take() { return std::move(places_); }

  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }

 private:
  /// The specifiers of a declaration, as far as they matter.
  struct Specifiers {
    bool forDevice = false, forHost = false, isConstexpr = false;
  };
  /// A member of an instance of a class template, as it was.
  struct Member {
    clang::CXXMethodDecl* declaration;
    clang::ConstexprSpecKind kind;
    llvm::SmallVector<clang::Attr*, 2> marks;
  };
  /// The part of a specialisation that is being read: its name, its parameters, and what follows them.
  enum class Part { none, name, parameters, rest };

  /// How much of `template <>` and what follows it was read, of a specialisation that no earlier reading found.
  enum class Ahead { none, keyword, less, declaration };

  void lookAhead(const clang::Token& token);
  bool namesOneTemplate() const;
  void readSpecifier(const clang::Token& token);
  void beginName(const clang::Token& token);
  void readName(const clang::Token& token);
  void adjustWhatIsNamed();
  void adjustMarks(clang::FunctionDecl& pattern);
  template <class Mark>
  void adjustMark(clang::FunctionDecl& pattern, bool isWritten);
  void adjustMember(clang::CXXMethodDecl& member);
  void restore();
  void restoreMember(const Member& member) const;

  const clang::SourceManager& sources_;
  clang::Sema* sema_ = nullptr;
  Places places_;
  Places ofDevice_;  ///< those that name a function of the device
  bool isAgain_;
  bool someFound_ = false;

  Specifiers specifiers_;  ///< of the declaration that is being read
  clang::tok::TokenKind last_ = clang::tok::unknown, lastButOne_ = clang::tok::unknown;
  Ahead ahead_ = Ahead::none;
  Part part_ = Part::none;
  clang::SourceLocation at_;     ///< of the name
  clang::DeclarationName name_;  ///< empty: of a conversion
  bool isOperator_ = false;      ///< the token behind `operator` is to come
  unsigned open_ = 0;            ///< parentheses
  bool isAtEnd_ = false;         ///< of the declaration
  /// What was changed for the time of the declaration.
  std::vector<std::pair<clang::Attr*, bool>> implied_;  ///< and whether it was implicit
  std::vector<std::pair<clang::FunctionDecl*, clang::Attr*>> added_;
  std::vector<Member> members_;
};

}  // namespace lathe::dialects
