// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of dependent classes that are called like functions.
#include "dialects/cuda/lenient/missing_typename.h"

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
    if (clang::Expr* const other = meant(child)) child = other;
  }
  return true;
}

bool MissingTypenames::VisitVarDecl(clang::VarDecl* variable) {
  if (types_.empty() || !variable->hasInit() || !variable->getDeclContext()->isDependentContext()) return true;
  if (clang::Expr* const other = meant(variable->getInit())) variable->setInit(other);
  return true;
}

clang::Expr* MissingTypenames::meant(clang::Stmt* expression) {
  if (auto* const call = llvm::dyn_cast_or_null<clang::CallExpr>(expression)) return asValue(*call);
  auto* const size = llvm::dyn_cast_or_null<clang::UnaryExprOrTypeTraitExpr>(expression);
  return size ? asSize(*size) : nullptr;
}

clang::TypeSourceInfo* MissingTypenames::asType(const clang::Expr* expression) {
  const auto* const name = llvm::dyn_cast<clang::DependentScopeDeclRefExpr>(expression->IgnoreParens());
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
  return written;
}

clang::Expr* MissingTypenames::asValue(clang::CallExpr& call) {
  clang::TypeSourceInfo* const written = asType(call.getCallee());
  if (!written) return nullptr;
  const llvm::SmallVector<clang::Expr*, 4> values(call.arguments());
  return clang::CXXUnresolvedConstructExpr::Create(ast(), written->getType(), written, call.getCallee()->getEndLoc(),
                                                   values, call.getRParenLoc(), /*IsListInit=*/false);
}

clang::Expr* MissingTypenames::asSize(clang::UnaryExprOrTypeTraitExpr& size) {
  if (size.getKind() != clang::UETT_SizeOf || size.isArgumentType()) return nullptr;
  // The last of the bounds is the innermost array's.
  llvm::SmallVector<clang::Expr*, 2> bounds;
  const clang::Expr* operand = size.getArgumentExpr()->IgnoreParens();
  while (const auto* const element = llvm::dyn_cast<clang::ArraySubscriptExpr>(operand)) {
    bounds.push_back(const_cast<clang::Expr*>(element->getRHS()));
    operand = element->getLHS()->IgnoreParens();
  }
  clang::TypeSourceInfo* const written = bounds.empty() ? nullptr : asType(operand);
  if (!written) return nullptr;
  clang::QualType type = written->getType();
  for (clang::Expr* bound : bounds)
    type = ast().getDependentSizedArrayType(type, bound, clang::ArraySizeModifier::Normal, 0);
  return new (ast())
      clang::UnaryExprOrTypeTraitExpr(clang::UETT_SizeOf, ast().getTrivialTypeSourceInfo(type, operand->getBeginLoc()),
                                      ast().getSizeType(), size.getOperatorLoc(), size.getRParenLoc());
}

}  // namespace lathe::dialects
