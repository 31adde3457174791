// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions with errors, turned into declarations.
#include "core/frontend/clang/erroneous_functions.h"

#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "llvm/IR/Module.h"

namespace lathe::detail {

/// True for errors that say that something is not for this target: Clang goes on, and its tree is whole.
bool ErroneousBodies::leavesTreeWhole(unsigned id) const {
  return id == clang::diag::err_thread_unsupported || id == clang::diag::err_exceptions_disabled ||
         std::ranges::find(harmless_, id) != harmless_.end();
}

bool ErroneousBodies::take(const clang::Diagnostic& info, const SourceLocation& at) {
  // What the parser did not understand may have ended anywhere.
  if (!sema_ || !sema_->CurContext || info.getID() < clang::diag::DIAG_START_SEMA) return false;
  const bool whole = leavesTreeWhole(info.getID());
  bool inFunction = false;
  for (clang::DeclContext* context = sema_->CurContext; context; context = context->getParent()) {
    auto* const function = llvm::dyn_cast<clang::FunctionDecl>(context);
    if (!function) continue;
    inFunction = true;
    auto known = std::ranges::find(broken_, function, &Broken::function);
    if (known == broken_.end()) known = broken_.insert(known, {function, {}, true});
    known->errors.push_back(at);
    known->whole = known->whole && whole;
  }
  return inFunction || whole;
}

/// Before code generation sees them.
void ErroneousBodies::leaveOut() {
  for (const Broken& broken : broken_) {
    if (!broken.whole && broken.function->doesThisDeclarationHaveABody() && !broken.function->willHaveBody())
      broken.function->setBody(nullptr);
  }
  clang::DiagnosticsEngine& engine = compiler_.getDiagnostics();
  if (engine.hasErrorOccurred() && engine.getClient()->getNumErrors() == 0) engine.Reset(/*soft=*/true);
}

bool ErroneousBodies::HandleTopLevelDecl(clang::DeclGroupRef) {
  leaveOut();
  return true;
}

void ErroneousBodies::HandleInlineFunctionDefinition(clang::FunctionDecl*) {
  leaveOut();
}

void ErroneousBodies::HandleTranslationUnit(clang::ASTContext&) {
  leaveOut();
}

/// A function's own entry, or that of the template it is an instance of.
const ErroneousBodies::Broken* ErroneousBodies::find(const clang::FunctionDecl* function) const {
  for (; function; function = function->getTemplateInstantiationPattern()) {
    for (const Broken& broken : broken_) {
      if (broken.function->getCanonicalDecl() == function->getCanonicalDecl()) return &broken;
    }
  }
  return nullptr;
}

std::vector<ErroneousFunction> ErroneousBodies::functions() {
  std::vector<ErroneousFunction> out;
  if (const llvm::Module* const module = generator_.GetModule()) {
    for (const llvm::Function& function : *module) {
      const auto* const declaration =
          llvm::dyn_cast_or_null<clang::FunctionDecl>(generator_.GetDeclForMangledName(function.getName()));
      if (const Broken* const broken = find(declaration)) out.push_back({function.getName().str(), broken->errors, {}});
    }
  }
  // Nobody calls kernels.
  for (const Broken& broken : broken_) {
    if (broken.function->isDependentContext() || !broken.function->isReferenceableKernel()) continue;
    const clang::GlobalDecl kernel(broken.function, clang::KernelReferenceKind::Kernel);
    out.push_back({generator_.GetMangledName(kernel).str(), broken.errors, {}});
  }
  return out;
}

}  // namespace lathe::detail
