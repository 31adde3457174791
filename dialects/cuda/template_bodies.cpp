// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies of functions of templates.
#include "dialects/cuda/template_bodies.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"

namespace lathe::dialects {

bool TemplateBodies::HandleTopLevelDecl(clang::DeclGroupRef group) {
  for (clang::Decl* declaration : group) {
    ast_ = &declaration->getASTContext();
    TraverseDecl(declaration);
  }
  return true;
}

bool TemplateBodies::TraverseDecl(clang::Decl* declaration) {
  const auto* const function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
  if (function && (!function->isDependentContext() || !function->doesThisDeclarationHaveABody() ||
                   !isWorthReading(function->getLocation())))
    return true;
  return clang::DynamicRecursiveASTVisitor::TraverseDecl(declaration);
}

bool TemplateBodies::isWorthReading(clang::SourceLocation at) {
  const clang::SourceManager& sources = ast_->getSourceManager();
  const clang::FileID file = sources.getFileID(sources.getExpansionLoc(at));
  const auto [known, fresh] = files_.try_emplace(file, false);
  if (!fresh) return known->second;
  const auto text = sources.getBufferDataOrNone(file);
  return known->second = text && mayConcern(*text);
}

}  // namespace lathe::dialects
