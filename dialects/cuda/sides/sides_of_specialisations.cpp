// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explicit specialisations of function templates that leave out the side that the template is for.
#include "dialects/cuda/sides/sides_of_specialisations.h"

#include <utility>

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"

namespace lathe::dialects {
namespace {

/// The namespace or class of that name as code in `context` sees it; null: there is none.
clang::DeclContext* scopeNamed(clang::DeclContext& context, const clang::IdentifierInfo& name) {
  for (clang::NamedDecl* found : context.lookup(&name)) {
    clang::NamedDecl* const declaration = found->getUnderlyingDecl();
    if (auto* const space = llvm::dyn_cast<clang::NamespaceDecl>(declaration)) return space;
    if (auto* const alias = llvm::dyn_cast<clang::NamespaceAliasDecl>(declaration)) return alias->getNamespace();
    auto* const record = llvm::dyn_cast<clang::CXXRecordDecl>(declaration);
    if (record && record->getDefinition()) return record->getDefinition();
  }
  return nullptr;
}

bool hasTemplate(const clang::DeclContext& context, const clang::IdentifierInfo& name) {
  return llvm::any_of(context.lookup(&name), [](const clang::NamedDecl* found) {
    return llvm::isa<clang::FunctionTemplateDecl>(found->getUnderlyingDecl());
  });
}

/// Where the template `name` in `scope` is, as code in `context` sees it; null: there is none.
const clang::DeclContext* home(clang::DeclContext* context, llvm::ArrayRef<const clang::IdentifierInfo*> scope,
                               const clang::IdentifierInfo& name) {
  for (; context; context = context->getParent()) {
    clang::DeclContext* inner = context->getRedeclContext();
    for (const clang::IdentifierInfo* part : scope) inner = inner ? scopeNamed(*inner, *part) : nullptr;
    if (inner && hasTemplate(*inner, name)) return inner;
  }
  return nullptr;
}

}  // namespace

SidesOfSpecialisations::SidesOfSpecialisations(clang::CompilerInstance& compiler, Places places)
    : sources_(compiler.getSourceManager()), places_(std::move(places)), isAgain_(!places_.empty()) {}

void SidesOfSpecialisations::see(const clang::Diagnostic& info) {
  if (info.getID() == clang::diag::err_function_template_spec_no_match && info.getLocation().isValid())
    someFound_ |= places_.add(sources_, info.getLocation());
}

void SidesOfSpecialisations::watch(const clang::Token& token) {
  if (!isAgain_ || !sema_ || token.isAnnotation() || token.getLocation().isInvalid()) return;
  if (isAtEnd_) restoreMarks();
  if (!implied_.empty()) {
    // Clang declares the function when it sees what is behind its declarator.
    isAtEnd_ = token.isOneOf(clang::tok::l_brace, clang::tok::semi);
    return;
  }
  if (token.is(clang::tok::coloncolon)) {
    isBehindColons_ = true;
    return;
  }
  const clang::IdentifierInfo* const name = token.getIdentifierInfo();
  if (!isBehindColons_) scope_.clear();
  isBehindColons_ = false;
  if (!name) return;
  if (places_.has(sources_, token.getLocation())) implyMarks(token);
  scope_.push_back(name);
}

/// Clang compares the marks of templates and specialisations without those that are implied.
void SidesOfSpecialisations::implyMarks(const clang::Token& name) {
  const clang::IdentifierInfo& word = *name.getIdentifierInfo();
  const clang::DeclContext* const context = home(sema_->CurContext, scope_, word);
  if (!context) return;
  for (clang::NamedDecl* found : context->lookup(&word)) {
    auto* const pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(found->getUnderlyingDecl());
    if (!pattern) continue;
    for (clang::FunctionDecl* declaration : pattern->getTemplatedDecl()->redecls()) {
      for (clang::Attr* mark : declaration->attrs()) {
        if (mark->isImplicit() || !llvm::isa<clang::CUDADeviceAttr, clang::CUDAHostAttr>(mark)) continue;
        mark->setImplicit(true);
        implied_.push_back(mark);
      }
    }
  }
}

void SidesOfSpecialisations::restoreMarks() {
  for (clang::Attr* mark : implied_) mark->setImplicit(false);
  implied_.clear();
  isAtEnd_ = false;
}

}  // namespace lathe::dialects
