// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks over an AST in which some declarations are broken.
#include "dialects/cuda/sides/broken_code.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

namespace lathe::dialects {
namespace {

/// The visitor of findUseOfBroken().
class UseFinder final : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit UseFinder(const llvm::SmallPtrSetImpl<const clang::Decl*>& broken) : broken_(broken) {
    ShouldVisitImplicitCode = true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override { return look(use->getDecl(), use->getExprLoc()); }
  bool VisitMemberExpr(clang::MemberExpr* use) override { return look(use->getMemberDecl(), use->getExprLoc()); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* use) override {
    return look(use->getConstructor(), use->getExprLoc());
  }
  bool VisitRecoveryExpr(clang::RecoveryExpr* use) override { return report(nullptr, use->getExprLoc()); }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    return lookAtType(variable->getType(), variable->getLocation());
  }
  bool VisitExpr(clang::Expr* expression) override {
    return lookAtType(expression->getType(), expression->getExprLoc());
  }

  void walk(const clang::FunctionDecl& function) {
    functions_.push_back(&function);
    while (!functions_.empty() && !found.where.isValid()) {
      const clang::FunctionDecl* next = functions_.back();
      functions_.pop_back();
      if (!seen_.insert(next).second) continue;
      if (next == &function) {
        if (broken_.contains(function.getCanonicalDecl())) report(&function, function.getLocation());
        if (found.where.isValid() || !lookAtPattern(function, function.getLocation())) return;
      }
      for (const clang::ParmVarDecl* parameter : next->parameters())
        if (!lookAtType(parameter->getType(), parameter->getLocation())) return;
      if (clang::Stmt* body = next->getBody()) TraverseStmt(body);
    }
  }

  UseOfBroken found;

 private:
  bool report(const clang::NamedDecl* declaration, clang::SourceLocation at) {
    found = {declaration, at};
    return false;
  }
  bool look(const clang::ValueDecl* declaration, clang::SourceLocation at) {
    if (declaration->isInvalidDecl() || broken_.contains(declaration->getCanonicalDecl()))
      return report(declaration, at);
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration); variable && variable->hasInit()) {
      if (variable->getInit()->containsErrors()) return report(declaration, at);
    }
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (!function || !function->getDefinition()) return true;
    functions_.push_back(function->getDefinition());
    return lookAtPattern(*function, at);
  }
  /// An instance holds no more than Clang made of the template.
  bool lookAtPattern(const clang::FunctionDecl& instance, clang::SourceLocation at) {
    const clang::FunctionDecl* const pattern = instance.getTemplateInstantiationPattern();
    return !pattern || !broken_.contains(pattern->getCanonicalDecl()) || report(pattern, at);
  }
  bool lookAtType(clang::QualType type, clang::SourceLocation at) {
    if (type.isNull()) return true;
    const clang::CXXRecordDecl* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!record) record = type->getPointeeCXXRecordDecl();
    if (record && (record->isInvalidDecl() || broken_.contains(record->getCanonicalDecl()))) return report(record, at);
    return true;
  }

  const llvm::SmallPtrSetImpl<const clang::Decl*>& broken_;
  llvm::SmallPtrSet<const clang::FunctionDecl*, 32> seen_;
  std::vector<const clang::FunctionDecl*> functions_;
};

/// The visitor of namedInstances().
class InstanceFinder final : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    auto* function = llvm::dyn_cast<clang::FunctionDecl>(use->getDecl());
    if (function && function->isTemplateInstantiation() && !function->isDependentContext())
      found.resolved.emplace_back(function, use->getExprLoc());
    return true;
  }
  bool VisitOverloadExpr(clang::OverloadExpr* expression) override {
    if (!expression->hasExplicitTemplateArgs()) return true;
    if (llvm::none_of(expression->template_arguments(), [](const clang::TemplateArgumentLoc& argument) {
          return argument.getArgument().isInstantiationDependent();
        }))
      found.unresolved.push_back(expression);
    return true;
  }

  NamedInstances found;
};

/// Looks for what a function declares.
class LocalFinder final : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override { return look(use->getDecl()); }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc type) override { return look(type.getDecl()); }
  bool VisitTagTypeLoc(clang::TagTypeLoc type) override { return look(type.getDecl()); }

  bool found = false;

 private:
  bool look(const clang::Decl* declaration) {
    found = found || (declaration->getParentFunctionOrMethod() && !declaration->isTemplateParameter());
    return !found;
  }
};

/// The visitor of dependentNames().
class DependentNameFinder final : public clang::DynamicRecursiveASTVisitor {
 public:
  using Holds = llvm::function_ref<std::optional<bool>(const clang::Expr&)>;
  explicit DependentNameFinder(Holds holds) : holds_(holds) {}

  bool TraverseIfStmt(clang::IfStmt* statement) override {
    if (!statement->isConstexpr()) return clang::DynamicRecursiveASTVisitor::TraverseIfStmt(statement);
    LocalFinder locals;
    locals.TraverseStmt(statement->getCond());
    const std::optional<bool> first = locals.found ? std::nullopt : holds_(*statement->getCond());
    if (!first) return true;
    clang::Stmt* const branch = *first ? statement->getThen() : statement->getElse();
    return !branch || TraverseStmt(branch);
  }
  bool VisitOverloadExpr(clang::OverloadExpr* expression) override {
    bool depends = false;
    LocalFinder locals;
    for (const clang::TemplateArgumentLoc& argument : expression->template_arguments()) {
      depends = depends || argument.getArgument().isInstantiationDependent();
      locals.TraverseTemplateArgumentLoc(argument);
    }
    if (depends && !locals.found) found.push_back(expression);
    return true;
  }

  std::vector<clang::OverloadExpr*> found;

 private:
  Holds holds_;
};

/// The visitor of dropBrokenDeclarations().
class WithoutBrokenDeclarations final : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit WithoutBrokenDeclarations(clang::ASTContext& ast) : ast_(ast) {}

  bool VisitCompoundStmt(clang::CompoundStmt* block) override {
    for (clang::Stmt*& statement : block->body()) {
      const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(statement);
      if (declarations && llvm::any_of(declarations->decls(), [](const clang::Decl* d) { return d->isInvalidDecl(); }))
        statement = new (ast_) clang::NullStmt(declarations->getBeginLoc());
    }
    return true;
  }

 private:
  clang::ASTContext& ast_;
};

}  // namespace

UseOfBroken findUseOfBroken(const clang::FunctionDecl& function,
                            const llvm::SmallPtrSetImpl<const clang::Decl*>& broken) {
  UseFinder finder(broken);
  finder.walk(function);
  return finder.found;
}

NamedInstances namedInstances(clang::Stmt& body) {
  InstanceFinder finder;
  finder.TraverseStmt(&body);
  return std::move(finder.found);
}

std::vector<clang::OverloadExpr*> dependentNames(clang::Stmt& body,
                                                 llvm::function_ref<std::optional<bool>(const clang::Expr&)> holds) {
  DependentNameFinder finder(holds);
  finder.TraverseStmt(&body);
  return std::move(finder.found);
}

void dropBrokenDeclarations(clang::ASTContext& ast, clang::Stmt& body) {
  WithoutBrokenDeclarations(ast).TraverseStmt(&body);
}

}  // namespace lathe::dialects
