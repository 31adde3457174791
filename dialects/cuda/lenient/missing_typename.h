// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of dependent classes that are called like functions. `T::type(x)` is a call of a function in C++ unless
// `typename` stands before it, and an error in an instance in which T::type is a type; CUDA's compiler takes it for
// what it is in each instance. What is a type is found while the source is read a first time; a second time it is
// read as a type in all instances.
//
//   T::duration(x)       is read as   typename T::duration(x)
//   (T::duration)(x)     is read as   (typename T::duration)(x)
//   sizeof(T::type[3])   is read as   sizeof(typename T::type[3])
#pragma once

#include "clang/Basic/Diagnostic.h"

#include "dialects/cuda/places.h"
#include "dialects/cuda/template_bodies.h"

namespace lathe::dialects {

class MissingTypenames final : public TemplateBodies {
 public:
  /// `types`: where names of types begin that an earlier reading found.
  explicit MissingTypenames(Places types) : types_(std::move(types)) {}

  /// Remembers the place if the error, one outside of host functions, is about such a type.
  void see(const clang::Diagnostic& info);
  /// The reading found types that it took for functions.
  [[nodiscard]] bool someFound() const { return someFound_; }
  /// All places of types, those of earlier readings too.
  [[nodiscard]] Places take() { return std::move(types_); }

 private:
  bool mayConcern(llvm::StringRef text) const override;
  bool VisitStmt(clang::Stmt* statement) override;
  bool VisitVarDecl(clang::VarDecl* variable) override;
  /// What `expression` was meant to be; null: what it is.
  clang::Expr* meant(clang::Stmt* expression);
  /// The value of the type that `call` was meant to be; null: it is a call.
  clang::Expr* asValue(clang::CallExpr& call);
  /// The size of the array type that the operand was meant to be; null: it is a value.
  clang::Expr* asSize(clang::UnaryExprOrTypeTraitExpr& size);
  /// The dependent type that `name` is; null: it was not found to be one.
  clang::TypeSourceInfo* asType(const clang::Expr* name);

  Places types_;
  bool someFound_ = false;
};

}  // namespace lathe::dialects
