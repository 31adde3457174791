// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions of CUDA's functions by programs.
#include "dialects/cuda/own_builtins.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"

namespace lathe::dialects {

bool OwnBuiltins::takes(const clang::Diagnostic& info) {
  if (info.getID() != clang::diag::err_redefinition || info.getNumArgs() == 0 ||
      info.getArgKind(0) != clang::DiagnosticsEngine::ak_nameddecl)
    return false;
  const auto* const named = reinterpret_cast<const clang::NamedDecl*>(info.getRawArg(0));
  const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(named);
  const clang::FunctionDecl* const before = function ? function->getPreviousDecl() : nullptr;
  if (!before || !before->hasBody()) return false;
  const clang::SourceManager& sources = compiler_.getSourceManager();
  const llvm::StringRef file = sources.getFilename(sources.getExpansionLoc(before->getLocation()));
  if (!file.contains("/lathe/cuda/")) return false;
  defined_.insert(function);
  return true;
}

bool OwnBuiltins::HandleTopLevelDecl(clang::DeclGroupRef group) {
  if (defined_.empty()) return true;
  for (clang::Decl* const declaration : group) {
    if (!defined_.contains(declaration)) continue;
    declaration->setInvalidDecl(false);
    llvm::cast<clang::FunctionDecl>(declaration)->setBody(nullptr);
  }
  return true;
}

}  // namespace lathe::dialects
