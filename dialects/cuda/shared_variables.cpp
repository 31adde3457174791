// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared variables of class types, left uninitialised.
#include "dialects/cuda/shared_variables.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

namespace lathe::dialects {
namespace {

/// `__attribute__((lathe_shared_variable))`, of which `__shared__` consists besides Clang's own attribute. It is a
/// template's variables' too, and comes to those of its instances as an ordinary attribute does.
class SharedVariableAttribute final : public clang::ParsedAttrInfo {
 public:
  SharedVariableAttribute() {
    static constexpr Spelling spellings[] = {{clang::ParsedAttr::AS_GNU, "lathe_shared_variable"}};
    Spellings = spellings;
  }

  AttrHandling handleDeclAttribute(clang::Sema& sema, clang::Decl* declaration,
                                   const clang::ParsedAttr&) const override {
    auto* const variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    // Those outside of functions are refused by CUDA compilers too; `extern` ones are no definitions.
    if (variable && variable->getDeclContext()->isFunctionOrMethod() && !variable->hasExternalStorage() &&
        !sema.Context.getBaseElementType(variable->getType())->isScalarType())  // those have no constructor
      variable->addAttr(clang::AliasAttr::CreateImplicit(sema.Context, ""));
    return AttributeApplied;
  }
};

const clang::ParsedAttrInfoRegistry::Add<SharedVariableAttribute> registration("lathe_shared_variable",
                                                                               "leaves a variable uninitialised");

/// True if the constructor of the variable's class, whose definition is there, would do something, were it called.
bool isInitialised(clang::Sema& sema, const clang::VarDecl& variable) {
  clang::CXXRecordDecl* const type = sema.Context.getBaseElementType(variable.getType())->getAsCXXRecordDecl();
  if (!type) return false;
  clang::CXXConstructorDecl* const constructor = sema.LookupDefaultConstructor(type);
  return constructor && !constructor->isDeleted() &&
         !sema.CUDA().isEmptyConstructor(variable.getLocation(), constructor) &&
         !sema.SourceMgr.isInSystemHeader(type->getLocation());
}

}  // namespace

bool SharedVariables::HandleTopLevelDecl(clang::DeclGroupRef group) {
  for (clang::Decl* declaration : group) {
    if (auto* const function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      HandleInlineFunctionDefinition(function);
  }
  return true;
}

void SharedVariables::HandleInlineFunctionDefinition(clang::FunctionDecl* function) {
  if (!sema_ || function->isDependentContext()) return;
  for (const clang::Decl* declaration : function->decls()) {
    const auto* const variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (!variable || variable->isInvalidDecl() || !variable->hasAttr<clang::CUDASharedAttr>() ||
        variable->hasExternalStorage())
      continue;
    // Clang asks for the type's definition, and makes it of a template, where it builds an initializer.
    if (sema_->RequireCompleteType(variable->getLocation(), sema_->Context.getBaseElementType(variable->getType()),
                                   clang::diag::err_typecheck_decl_incomplete_type))
      continue;
    if (!isInitialised(*sema_, *variable)) continue;
    clang::DiagnosticsEngine& engine = sema_->getDiagnostics();
    const unsigned id = engine.getCustomDiagID(clang::DiagnosticsEngine::Warning,
                                               "the constructor of %0 is not called for a __shared__ variable");
    engine.Report(variable->getLocation(), id) << variable->getType();
  }
}

}  // namespace lathe::dialects
