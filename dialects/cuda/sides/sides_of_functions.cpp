// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions whose declarations disagree about the side they are for.
#include "dialects/cuda/sides/sides_of_functions.h"

#include <utility>

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

#include "dialects/cuda/sides/host_code.h"
#include "dialects/cuda/sides/sides_of_specialisations.h"

namespace lathe::dialects {
namespace {

bool isForDevice(const clang::FunctionDecl* function) {
  return function->hasAttr<clang::CUDADeviceAttr>();
}

/// The function that `declaration` is or is a template of; null: none.
const clang::FunctionDecl* functionOf(const clang::Decl& declaration) {
  if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(&declaration))
    return pattern->getTemplatedDecl();
  return llvm::dyn_cast<clang::FunctionDecl>(&declaration);
}

bool isUsed(const clang::FunctionDecl& function) {
  if (const auto* pattern = function.getDescribedFunctionTemplate()) return !pattern->specializations().empty();
  return function.isReferenced() || function.isUsed();
}

}  // namespace

bool isEverForDevice(const clang::FunctionDecl& function) {
  return llvm::any_of(function.redecls(), isForDevice);
}

SidesOfFunctions::SidesOfFunctions(clang::CompilerInstance& compiler, Places forBothSides)
    : sources_(compiler.getSourceManager()), forBothSides_(std::move(forBothSides)) {}

/// What Clang says of two declarations that may differ in the side alone: that the second may not stand beside the
/// first, that a definition matches no member, or that the side of the last one is not the caller's.
void SidesOfFunctions::see(const clang::Diagnostic& info) {
  using Engine = clang::DiagnosticsEngine;
  if (!forBothSides_.empty()) {
    if (info.getDiags()->getDiagnosticLevel(info.getID(), info.getLocation()) >= Engine::Error) leaveIfUnused();
    return;
  }
  if (info.getID() == clang::diag::err_cuda_ovl_target && info.getArgKind(3) == Engine::ak_nameddecl) {
    const auto* const first = functionOf(*reinterpret_cast<const clang::NamedDecl*>(info.getRawArg(3)));
    // Explicit specialisations of members are another's (SidesOfSpecialisations).
    if (first && !isInstance(*first->getDeclContext())) addBoth(*first, info.getLocation());
  }
  if (info.getID() == clang::diag::err_member_decl_does_not_match && info.getArgKind(0) == Engine::ak_declarationname &&
      info.getArgKind(1) == Engine::ak_declcontext) {
    const auto name = clang::DeclarationName::getFromOpaqueInteger(static_cast<std::uintptr_t>(info.getRawArg(0)));
    const auto* const scope = reinterpret_cast<const clang::DeclContext*>(info.getRawArg(1));
    if (isInstance(*scope)) return;
    const bool definesForDevice = inDeviceDeclaration(sources_, info.getLocation());
    for (const clang::NamedDecl* member : scope->lookup(name)) {
      const clang::FunctionDecl* const function = functionOf(*member);
      if (function && (definesForDevice || isForDevice(function))) addBoth(*function, info.getLocation());
    }
  }
  if (info.getID() == clang::diag::err_ovl_no_viable_function_in_init && info.getArgKind(0) == Engine::ak_qualtype)
    addConstructors(*clang::QualType::getFromOpaquePtr(reinterpret_cast<void*>(info.getRawArg(0))));
  if (info.getID() == clang::diag::err_ref_bad_target && info.getArgKind(2) == Engine::ak_nameddecl) {
    const auto* const called = functionOf(*reinterpret_cast<const clang::NamedDecl*>(info.getRawArg(2)));
    if (!called) return;
    called_.insert(called->getCanonicalDecl());
    if (isEverForDevice(*called)) addBoth(*called, called->getLocation());
  }
}

void SidesOfFunctions::seeNote(const clang::Diagnostic& info) {
  if (info.getID() == clang::diag::note_ovl_candidate_bad_target && !isAgain() && sema_ && sema_->isUnevaluatedContext())
    found_.add(sources_, info.getLocation());
}

/// A body that only the host understands: no code is to be made of it unless a kernel calls the function, and that is
/// an error then.
void SidesOfFunctions::leaveIfUnused() {
  if (!sema_) return;
  for (clang::DeclContext* context = sema_->CurContext; context; context = context->getParent()) {
    auto* const function = llvm::dyn_cast<clang::FunctionDecl>(context);
    if (function && forBothSides_.has(sources_, function->getLocation())) function->setImplicitlyInline();
  }
}

/// The constructors of `type` for the device alone, if a function of the host makes an object by none of the others:
/// `run<<<1, 1>>>(Bounds<int>{0, 9})`. CUDA's compiler does not look at the sides of constructors between braces.
void SidesOfFunctions::addConstructors(const clang::Type& type) {
  const clang::CXXRecordDecl* const made = type.getAsCXXRecordDecl();
  const clang::FunctionDecl* const caller = sema_ ? sema_->getCurFunctionDecl(/*AllowLambda=*/true) : nullptr;
  if (!made || !caller || isEverForDevice(*caller)) return;
  for (const clang::NamedDecl* member : made->lookup(made->getASTContext().DeclarationNames.getCXXConstructorName(
           made->getASTContext().getCanonicalTagType(made)))) {
    const clang::FunctionDecl* const constructor = functionOf(*member);
    if (constructor && isForDevice(constructor) && !constructor->hasAttr<clang::CUDAHostAttr>() &&
        !constructor->isImplicit())
      addBoth(*constructor, constructor->getLocation());
  }
}

/// All declarations of `function` so far, and another.
void SidesOfFunctions::addBoth(const clang::FunctionDecl& function, clang::SourceLocation other) {
  for (const clang::FunctionDecl* declaration : function.redecls()) found_.add(sources_, declaration->getLocation());
  found_.add(sources_, other);
}

void SidesOfFunctions::note(const clang::Decl& declaration) {
  if (const clang::FunctionDecl* function = functionOf(declaration)) {
    if (!function->doesThisDeclarationHaveABody() && !llvm::isa<clang::CXXMethodDecl>(function))
      declared_.push_back(function);
    return;
  }
  if (!llvm::isa<clang::NamespaceDecl>(declaration) && !llvm::isa<clang::LinkageSpecDecl>(declaration)) return;
  for (const clang::Decl* nested : llvm::cast<clang::DeclContext>(declaration).decls()) note(*nested);
}

bool SidesOfFunctions::HandleTopLevelDecl(clang::DeclGroupRef group) {
  if (!forBothSides_.empty()) return true;
  for (const clang::Decl* declaration : group) note(*declaration);
  return true;
}

/// Functions that are used and have no body, beside one of the same name and type for the other side that has one.
void SidesOfFunctions::HandleTranslationUnit(clang::ASTContext& ast) {
  // Clang declares in IR what host code uses. Of kernels of other sources it may not know the parameters' types.
  ast.CUDAExternalDeviceDeclODRUsedByHost.remove_if([](const clang::ValueDecl* used) {
    const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(used);
    return function && !function->isDefined();
  });
  for (const clang::FunctionDecl* function : declared_) {
    if (function->isDefined() || !(isUsed(*function) || called_.contains(function->getCanonicalDecl()))) continue;
    for (const clang::NamedDecl* named :
         function->getDeclContext()->getRedeclContext()->lookup(function->getDeclName())) {
      const clang::FunctionDecl* const other = functionOf(*named);
      if (!other || !other->isDefined() || isForDevice(other) == isForDevice(function) ||
          !ast.hasSameType(other->getType(), function->getType()))
        continue;
      for (const clang::FunctionDecl* one : other->redecls()) addBoth(*function, one->getLocation());
    }
  }
}

/// Until one token behind a declaration Clang looks at its last one.
void SidesOfFunctions::watch(const clang::Token& token) {
  if (!sema_ || token.isAnnotation()) return;
  if (reading_ == Reading::end) {
    sema_->CUDA().PopForceHostDevice();
    reading_ = Reading::nothing;
  }
  if (reading_ == Reading::nothing) {
    if (token.getLocation().isInvalid() || !forBothSides_.has(sources_, token.getLocation())) return;
    sema_->CUDA().PushForceHostDevice();
    reading_ = Reading::declaration;
    open_ = 0;
    return;
  }
  if (token.isOneOf(clang::tok::l_brace, clang::tok::l_paren, clang::tok::l_square)) ++open_;
  const bool closes = token.isOneOf(clang::tok::r_brace, clang::tok::r_paren, clang::tok::r_square);
  if (closes && open_ > 0) --open_;
  if (open_ == 0 && (token.isOneOf(clang::tok::semi, clang::tok::r_brace))) reading_ = Reading::end;
}

}  // namespace lathe::dialects
