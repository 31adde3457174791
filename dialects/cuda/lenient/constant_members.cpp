// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `this` is replaced by the address of a variable that is declared and never defined, of the same type: Clang evaluates
// that to an object of which it knows nothing, and the static member behind it to its value. A member that is not
// static is as little constant as before.
#include "dialects/cuda/lenient/constant_members.h"

#include <cstddef>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticSema.h"
#include "llvm/ADT/StringExtras.h"

#include "dialects/cuda/template_bodies.h"

namespace lathe::dialects {
namespace {

/// What `name` is in `scope`; null: nothing of that kind.
template <class Kind>
Kind* find(const clang::DeclContext* scope, clang::ASTContext& ast, llvm::StringRef name) {
  return scope ? scope->lookup(&ast.Idents.get(name)).find_first<Kind>() : nullptr;
}

/// The variable template of Lathe's CUDA headers.
clang::VarTemplateDecl* findAnyObject(clang::ASTContext& ast) {
  const auto* const lathe = find<clang::NamespaceDecl>(ast.getTranslationUnitDecl(), ast, "lathe");
  const auto* const detail = find<clang::NamespaceDecl>(lathe, ast, "detail");
  return find<clang::VarTemplateDecl>(detail, ast, "anyObject");
}

/// Whether `text` names a member of an object.
bool namesMember(llvm::StringRef text) {
  if (text.contains("->")) return true;
  for (std::size_t at = text.find('.'); at != llvm::StringRef::npos; at = text.find('.', at + 1)) {
    if (at > 0 && at + 1 < text.size() && (llvm::isAlpha(text[at + 1]) || text[at + 1] == '_')) return true;
  }
  return false;
}

/// Whether `text` has a constexpr statement that does.
bool namesMemberInConstant(llvm::StringRef text) {
  constexpr llvm::StringLiteral word = "constexpr";
  for (std::size_t begin = text.find(word); begin != llvm::StringRef::npos; begin = text.find(word)) {
    text = text.drop_front(begin + word.size());
    if (namesMember(text.take_until([](char letter) { return letter == ';' || letter == '{' || letter == '}'; })))
      return true;
  }
  return false;
}

class Constants final : public TemplateBodies {
  bool mayConcern(llvm::StringRef text) const override { return namesMemberInConstant(text); }

  bool VisitIfStmt(clang::IfStmt* statement) override {
    if (statement->isConstexpr()) replaceThis(statement->getCond());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->isConstexpr() && variable->hasInit()) replaceThis(variable->getInit());
    return true;
  }

  /// In what is evaluated of `expression`.
  void replaceThis(clang::Stmt* expression) {
    if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXNoexceptExpr, clang::CXXTypeidExpr, clang::RequiresExpr,
                  clang::LambdaExpr>(expression))
      return;
    for (clang::Stmt*& child : expression->children()) {
      if (!child) continue;
      const auto* const object = llvm::dyn_cast<clang::CXXThisExpr>(child);
      if (clang::Expr* const other = object ? anyObjectLike(*object) : nullptr)
        child = other;
      else
        replaceThis(child);
    }
  }

  /// The address of such a variable; null: there is none.
  clang::Expr* anyObjectLike(const clang::CXXThisExpr& object) {
    if (!anyObject_) anyObject_ = findAnyObject(ast());
    if (!anyObject_) return nullptr;
    const clang::SourceLocation at = object.getLocation();
    const clang::QualType type = object.getType()->getPointeeType();
    clang::TemplateArgumentListInfo arguments(at, at);
    arguments.addArgument({clang::TemplateArgument(type), ast().getTrivialTypeSourceInfo(type, at)});
    clang::UnresolvedSet<1> names;
    names.addDecl(anyObject_);
    clang::Expr* const variable = clang::UnresolvedLookupExpr::Create(
        ast(), /*NamingClass=*/nullptr, clang::NestedNameSpecifierLoc(), clang::SourceLocation(),
        clang::DeclarationNameInfo(anyObject_->getDeclName(), at), /*RequiresADL=*/false, &arguments, names.begin(),
        names.end(), /*KnownDependent=*/true, /*KnownInstantiationDependent=*/true);
    return clang::UnaryOperator::Create(ast(), variable, clang::UO_AddrOf, ast().DependentTy, clang::VK_PRValue,
                                        clang::OK_Ordinary, at, /*CanOverflow=*/false, clang::FPOptionsOverride());
  }

  clang::VarTemplateDecl* anyObject_ = nullptr;  ///< looked up when it is first needed
};

/// What `expression` names without an object; itself where it needs one, or making the object does something.
clang::Expr* withoutObject(clang::ASTContext& ast, clang::Expr* expression) {
  auto* const member = llvm::dyn_cast<clang::MemberExpr>(expression);
  if (!member || member->getBase()->HasSideEffects(ast)) return expression;
  clang::ValueDecl* const named = member->getMemberDecl();
  const auto* const function = llvm::dyn_cast<clang::CXXMethodDecl>(named);
  if (!llvm::isa<clang::VarDecl, clang::EnumConstantDecl>(named) && !(function && function->isStatic()))
    return expression;
  return clang::DeclRefExpr::Create(ast, member->getQualifierLoc(), clang::SourceLocation(), named,
                                    /*RefersToEnclosingVariableOrCapture=*/false, member->getMemberNameInfo(),
                                    member->getType(), member->getValueKind(), member->getFoundDecl().getDecl(),
                                    /*TemplateArgs=*/nullptr, member->isNonOdrUse());
}

void takeAwayObjects(clang::ASTContext& ast, clang::Stmt* statement) {
  for (clang::Stmt*& child : statement->children()) {
    if (!child) continue;
    if (auto* const expression = llvm::dyn_cast<clang::Expr>(child)) child = withoutObject(ast, expression);
    takeAwayObjects(ast, child);
  }
}

}  // namespace

std::unique_ptr<clang::ASTConsumer> readConstantMembers() {
  return std::make_unique<Constants>();
}

bool isConstantOfMembers(const clang::Diagnostic& info) {
  if (info.getID() != clang::diag::err_constexpr_var_requires_const_init) return false;
  const auto* const named = reinterpret_cast<const clang::NamedDecl*>(info.getRawArg(0));
  auto* const variable = const_cast<clang::VarDecl*>(llvm::dyn_cast<clang::VarDecl>(named));
  if (!variable || !variable->hasInit() || variable->getInit()->isValueDependent()) return false;
  clang::ASTContext& ast = variable->getASTContext();
  clang::Expr* const value = withoutObject(ast, variable->getInit());
  takeAwayObjects(ast, value);
  variable->setInit(value);  // forgets that there was no value
  llvm::SmallVector<clang::PartialDiagnosticAt, 4> why;
  return variable->checkForConstantInitialization(why);
}

}  // namespace lathe::dialects
