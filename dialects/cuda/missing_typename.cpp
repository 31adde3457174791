// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of dependent classes that are called like functions.
#include "dialects/cuda/missing_typename.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"

namespace lathe::dialects {

void MissingTypenames::see(const clang::Diagnostic& info) {
  if (info.getID() != clang::diag::err_typename_missing || !info.hasSourceManager()) return;
  someFound_ |= types_.add(info.getSourceManager(), info.getLocation());
}

/// Files are walked only where an earlier reading found something.
bool MissingTypenames::mayConcern(llvm::StringRef /*text*/) const {
  return !types_.empty();
}

bool MissingTypenames::VisitStmt(clang::Stmt* statement) {
  for (clang::Stmt*& child : statement->children()) {
    auto* const call = llvm::dyn_cast_or_null<clang::CallExpr>(child);
    if (!call) continue;
    if (clang::Expr* const value = asValue(*call)) child = value;
  }
  return true;
}

clang::Expr* MissingTypenames::asValue(clang::CallExpr& call) {
  const auto* const name = llvm::dyn_cast<clang::DependentScopeDeclRefExpr>(call.getCallee()->IgnoreParens());
  const clang::IdentifierInfo* const word = name ? name->getDeclName().getAsIdentifierInfo() : nullptr;
  if (!word || name->hasExplicitTemplateArgs() || !types_.has(ast().getSourceManager(), name->getBeginLoc()))
    return nullptr;
  const clang::NestedNameSpecifierLoc scope = name->getQualifierLoc();
  const clang::QualType type =
      ast().getDependentNameType(clang::ElaboratedTypeKeyword::Typename, scope.getNestedNameSpecifier(), word);
  clang::TypeSourceInfo* const written = ast().CreateTypeSourceInfo(type);
  auto at = written->getTypeLoc().castAs<clang::DependentNameTypeLoc>();
  at.setElaboratedKeywordLoc(name->getBeginLoc());
  at.setQualifierLoc(scope);
  at.setNameLoc(name->getLocation());
  const llvm::SmallVector<clang::Expr*, 4> values(call.arguments());
  return clang::CXXUnresolvedConstructExpr::Create(ast(), type, written, name->getEndLoc(), values, call.getRParenLoc(),
                                                   /*IsListInit=*/false);
}

}  // namespace lathe::dialects
