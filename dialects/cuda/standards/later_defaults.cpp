// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instance has the default arguments of the declaration that the call found which made it, and templates find what
// was declared before them.
#include "dialects/cuda/standards/later_defaults.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticSema.h"

namespace lathe::dialects {
namespace {

bool giveToEarlier(const clang::FunctionDecl& later) {
  bool gave = false;
  for (const clang::FunctionDecl* earlier = later.getPreviousDecl(); earlier; earlier = earlier->getPreviousDecl()) {
    for (unsigned i = 0; i < later.getNumParams() && i < earlier->getNumParams(); ++i) {
      const clang::ParmVarDecl& from = *later.getParamDecl(i);
      if (!from.hasDefaultArg() || from.hasUnparsedDefaultArg() || from.hasUninstantiatedDefaultArg()) continue;
      // The tree is the parser's, which has no other way to say this.
      auto& to = const_cast<clang::ParmVarDecl&>(*earlier->getParamDecl(i));
      if (to.hasDefaultArg()) continue;
      to.setDefaultArg(const_cast<clang::Expr*>(from.getDefaultArg()));
      gave = true;
    }
  }
  return gave;
}

/// Whether something was given in `declaration`.
bool lookIn(const clang::Decl& declaration) {
  if (const auto* const pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(&declaration))
    return giveToEarlier(*pattern->getTemplatedDecl());
  bool gave = false;
  if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
    for (const clang::Decl* nested : llvm::cast<clang::DeclContext>(declaration).decls())
      gave = lookIn(*nested) || gave;
  }
  return gave;
}

}  // namespace

bool LaterDefaults::takes(const clang::Diagnostic& info) {
  if (info.getID() != clang::diag::err_param_default_argument_template_redecl) return false;
  some_ = true;
  return true;
}

bool LaterDefaults::HandleTopLevelDecl(clang::DeclGroupRef group) {
  if (!some_) return true;
  // Instances come here too, in the midst of the namespace that is looked for.
  for (const clang::Decl* declaration : group) {
    if (lookIn(*declaration)) some_ = false;
  }
  return true;
}

}  // namespace lathe::dialects
