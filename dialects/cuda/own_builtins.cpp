// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions of CUDA's functions by programs.
#include "dialects/cuda/own_builtins.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"

namespace lathe::dialects {

namespace {

const clang::FunctionDecl* functionAt(const clang::Diagnostic& info, unsigned argument) {
  if (info.getNumArgs() <= argument || info.getArgKind(argument) != clang::DiagnosticsEngine::ak_nameddecl)
    return nullptr;
  return llvm::dyn_cast<clang::FunctionDecl>(reinterpret_cast<const clang::NamedDecl*>(info.getRawArg(argument)));
}

}  // namespace

bool OwnBuiltins::takes(const clang::Diagnostic& info) {
  const bool overloads = info.getID() == clang::diag::err_cuda_ovl_target;
  if (!overloads && info.getID() != clang::diag::err_redefinition) return false;
  const clang::FunctionDecl* const first = functionAt(info, overloads ? 3 : 0);
  const clang::FunctionDecl* const before = first && !overloads ? first->getPreviousDecl() : first;
  if (!before || !before->hasBody()) return false;
  const clang::SourceManager& sources = compiler_.getSourceManager();
  if (!sources.getFilename(sources.getExpansionLoc(before->getLocation())).starts_with("/lathe/")) return false;
  names_.insert(before->getDeclName());
  return true;
}

void OwnBuiltins::mend(clang::Decl& declaration) {
  if (auto* const block = llvm::dyn_cast<clang::LinkageSpecDecl>(&declaration)) {
    for (clang::Decl* const part : block->decls()) mend(*part);
  }
  auto* const function = llvm::dyn_cast<clang::FunctionDecl>(&declaration);
  if (!function || !function->isInvalidDecl() || !names_.contains(function->getDeclName())) return;
  function->setInvalidDecl(false);
  if (function->getPreviousDecl()) function->setBody(nullptr);
}

bool OwnBuiltins::HandleTopLevelDecl(clang::DeclGroupRef group) {
  if (names_.empty()) return true;
  for (clang::Decl* const declaration : group) mend(*declaration);
  return true;
}

}  // namespace lathe::dialects
