// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `this` is replaced by the address of a variable that is declared and never defined, of the same type: Clang evaluates
// that to an object of which it knows nothing, and the static member behind it to its value. A member that is not
// static is as little constant as before.
#include "dialects/cuda/constant_members.h"

#include <cstddef>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"

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

class Constants final : public clang::DynamicRecursiveASTVisitor {
 public:
  Constants(clang::ASTContext& ast, clang::VarTemplateDecl*& anyObject,
            llvm::function_ref<bool(clang::SourceLocation)> mayNameMembers)
      : ast_(ast), anyObject_(anyObject), mayNameMembers_(mayNameMembers) {}

  bool TraverseDecl(clang::Decl* declaration) override {
    const auto* const function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    if (function && (!function->isDependentContext() || !function->doesThisDeclarationHaveABody() ||
                     !mayNameMembers_(function->getLocation())))
      return true;
    return clang::DynamicRecursiveASTVisitor::TraverseDecl(declaration);
  }
  bool VisitIfStmt(clang::IfStmt* statement) override {
    if (statement->isConstexpr()) replaceThis(statement->getCond());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->isConstexpr() && variable->hasInit()) replaceThis(variable->getInit());
    return true;
  }

 private:
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
    if (!anyObject_) anyObject_ = findAnyObject(ast_);
    if (!anyObject_) return nullptr;
    const clang::SourceLocation at = object.getLocation();
    const clang::QualType type = object.getType()->getPointeeType();
    clang::TemplateArgumentListInfo arguments(at, at);
    arguments.addArgument({clang::TemplateArgument(type), ast_.getTrivialTypeSourceInfo(type, at)});
    clang::UnresolvedSet<1> names;
    names.addDecl(anyObject_);
    clang::Expr* const variable = clang::UnresolvedLookupExpr::Create(
        ast_, /*NamingClass=*/nullptr, clang::NestedNameSpecifierLoc(), clang::SourceLocation(),
        clang::DeclarationNameInfo(anyObject_->getDeclName(), at), /*RequiresADL=*/false, &arguments, names.begin(),
        names.end(), /*KnownDependent=*/true, /*KnownInstantiationDependent=*/true);
    return clang::UnaryOperator::Create(ast_, variable, clang::UO_AddrOf, ast_.DependentTy, clang::VK_PRValue,
                                        clang::OK_Ordinary, at, /*CanOverflow=*/false, clang::FPOptionsOverride());
  }

  clang::ASTContext& ast_;
  clang::VarTemplateDecl*& anyObject_;
  llvm::function_ref<bool(clang::SourceLocation)> mayNameMembers_;
};

/// Whether `text` names a member of an object.
bool namesMember(llvm::StringRef text) {
  if (text.contains("->")) return true;
  for (std::size_t at = text.find('.'); at != llvm::StringRef::npos; at = text.find('.', at + 1)) {
    if (at > 0 && at + 1 < text.size() && (llvm::isAlpha(text[at + 1]) || text[at + 1] == '_')) return true;
  }
  return false;
}

}  // namespace

bool ConstantMembers::mayNameMembers(const clang::SourceManager& sources, clang::SourceLocation at) {
  const clang::FileID file = sources.getFileID(sources.getExpansionLoc(at));
  const auto [known, fresh] = files_.try_emplace(file, false);
  if (!fresh) return known->second;
  llvm::StringRef text = sources.getBufferDataOrNone(file).value_or("");
  constexpr llvm::StringLiteral word = "constexpr";
  for (std::size_t begin = text.find(word); begin != llvm::StringRef::npos; begin = text.find(word)) {
    text = text.drop_front(begin + word.size());
    if (namesMember(text.take_until([](char letter) { return letter == ';' || letter == '{' || letter == '}'; })))
      return known->second = true;
  }
  return false;
}

bool ConstantMembers::HandleTopLevelDecl(clang::DeclGroupRef group) {
  for (clang::Decl* declaration : group) {
    clang::ASTContext& ast = declaration->getASTContext();
    Constants(ast, anyObject_, [&](clang::SourceLocation at) {
      return mayNameMembers(ast.getSourceManager(), at);
    }).TraverseDecl(declaration);
  }
  return true;
}

}  // namespace lathe::dialects
