// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explicit specialisations that say something else of their sides, or of constexpr, than what they specialise.
#include "dialects/cuda/sides/sides_of_specialisations.h"

#include <utility>

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/OperatorKinds.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"

namespace lathe::dialects {
namespace {

/// The operator whose name begins with this token behind `operator`.
clang::OverloadedOperatorKind operatorOf(clang::tok::TokenKind kind) {
  switch (kind) {
    case clang::tok::l_paren:
      return clang::OO_Call;
    case clang::tok::l_square:
      return clang::OO_Subscript;
#define OVERLOADED_OPERATOR(Name, Spelling, Token, Unary, Binary, MemberOnly) \
  case clang::tok::Token:                                                     \
    return clang::OO_##Name;
#define OVERLOADED_OPERATOR_MULTI(Name, Spelling, Unary, Binary, MemberOnly)
#include "clang/Basic/OperatorKinds.def"
    default:
      return clang::OO_None;
  }
}

/// A member that can be specialised without its class: of an instance of a class template, and no template itself.
clang::CXXMethodDecl* specialisableMember(clang::NamedDecl& declaration) {
  auto* const member = llvm::dyn_cast<clang::CXXMethodDecl>(&declaration);
  return member && member->getInstantiatedFromMemberFunction() ? member : nullptr;
}

/// The functions and templates of `scope` with that name; an empty one: all that convert to another type.
llvm::SmallVector<clang::NamedDecl*> declarationsIn(const clang::DeclContext& scope, clang::DeclarationName name) {
  llvm::SmallVector<clang::NamedDecl*> out;
  if (name) {
    for (clang::NamedDecl* found : scope.lookup(name)) out.push_back(found->getUnderlyingDecl());
    return out;
  }
  for (clang::Decl* declaration : scope.decls()) {
    auto* const named = llvm::dyn_cast<clang::NamedDecl>(declaration);
    if (named && named->getDeclName().getNameKind() == clang::DeclarationName::CXXConversionFunctionName)
      out.push_back(named);
  }
  return out;
}

bool isMark(const clang::Attr& attribute) {
  return llvm::isa<clang::CUDADeviceAttr, clang::CUDAHostAttr>(attribute);
}

bool isForDevice(const clang::FunctionDecl& function) {
  return function.hasAttr<clang::CUDADeviceAttr>();
}

}  // namespace

bool isInstance(const clang::DeclContext& scope) {
  const auto* const record = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&scope);
  return record && !record->isExplicitSpecialization();
}

SidesOfSpecialisations::SidesOfSpecialisations(clang::CompilerInstance& compiler, Places places)
    : sources_(compiler.getSourceManager()), places_(std::move(places)), isAgain_(!places_.empty()) {}

void SidesOfSpecialisations::see(const clang::Diagnostic& info) {
  if (info.getLocation().isInvalid()) return;
  using Engine = clang::DiagnosticsEngine;
  const clang::DeclContext* scope = nullptr;
  if (info.getID() == clang::diag::err_constexpr_redecl_mismatch && info.getArgKind(0) == Engine::ak_nameddecl)
    scope = reinterpret_cast<const clang::NamedDecl*>(info.getRawArg(0))->getDeclContext();
  if (info.getID() == clang::diag::err_cuda_ovl_target && info.getArgKind(3) == Engine::ak_nameddecl)
    scope = reinterpret_cast<const clang::NamedDecl*>(info.getRawArg(3))->getDeclContext();
  if (info.getID() == clang::diag::err_member_decl_does_not_match && info.getArgKind(1) == Engine::ak_declcontext)
    scope = reinterpret_cast<const clang::DeclContext*>(info.getRawArg(1));
  const bool isFound = scope ? isInstance(*scope) : info.getID() == clang::diag::err_function_template_spec_no_match;
  if (isFound) someFound_ |= places_.add(sources_, info.getLocation());
}

bool SidesOfSpecialisations::isUnmatched(const clang::Diagnostic& info) {
  const bool isOne = info.getID() == clang::diag::err_function_template_spec_no_match ||
                     info.getID() == clang::diag::err_member_decl_does_not_match;
  return isAgain_ && isOne && info.getLocation().isValid() && ofDevice_.has(sources_, info.getLocation());
}

void SidesOfSpecialisations::watch(const clang::Token& token) {
  if (!sema_ || token.isAnnotation() || token.getLocation().isInvalid()) return;
  if (isAtEnd_) restore();
  switch (part_) {
    case Part::none:
      if (isAgain_ || ahead_ == Ahead::declaration) readSpecifier(token);
      if (isAgain_ && places_.has(sources_, token.getLocation()))
        beginName(token);
      else
        lookAhead(token);
      break;
    case Part::name:
      readName(token);
      break;
    case Part::parameters:
      if (token.is(clang::tok::l_paren)) ++open_;
      if (token.is(clang::tok::r_paren) && --open_ == 0) {
        if (ahead_ == Ahead::none || namesOneTemplate()) adjustWhatIsNamed();
        part_ = Part::rest;
      }
      break;
    case Part::rest:
      break;
  }
  // Clang declares the function when it sees what is behind its declarator.
  if (token.isOneOf(clang::tok::l_brace, clang::tok::r_brace, clang::tok::semi)) {
    isAtEnd_ = part_ != Part::none;
    specifiers_ = {};
    ahead_ = Ahead::none;
  }
  lastButOne_ = std::exchange(last_, token.getKind());
}

/// Reads specialisations with `constexpr` and without marks as another reading would: a template for both sides has
/// many of them in common headers (cuDF's, which each of its files includes), and a second reading doubles the time.
///
///   template <> constexpr inline Id idOf<int>()
void SidesOfSpecialisations::lookAhead(const clang::Token& token) {
  namespace tok = clang::tok;
  if (token.is(tok::kw_template)) {
    ahead_ = Ahead::keyword;
  } else if (ahead_ == Ahead::keyword || ahead_ == Ahead::less) {
    const bool isNext = token.is(ahead_ == Ahead::keyword ? tok::less : tok::greater);
    ahead_ = !isNext ? Ahead::none : ahead_ == Ahead::keyword ? Ahead::less : Ahead::declaration;
    specifiers_ = {};
    name_ = {};
    open_ = 0;
  } else if (ahead_ == Ahead::declaration) {
    if (token.is(tok::less)) ++open_;
    if (token.is(tok::greater)) --open_;
    if (token.is(tok::identifier) && open_ == 0) {
      name_ = token.getIdentifierInfo();
      at_ = token.getLocation();
    }
    const bool isOther =
        token.isOneOf(tok::kw_struct, tok::kw_class, tok::kw_union, tok::kw_operator, tok::kw___attribute,
                      tok::kw_decltype, tok::greatergreater, tok::equal, tok::l_square);
    if (isOther || (token.is(tok::l_paren) && (open_ != 0 || !name_ || !specifiers_.isConstexpr))) {
      ahead_ = Ahead::none;
    } else if (token.is(tok::l_paren)) {
      part_ = Part::parameters;
      open_ = 1;
    }
  }
}

/// True if the name is that of one function template and of nothing else.
bool SidesOfSpecialisations::namesOneTemplate() const {
  for (const clang::DeclContext* context = sema_->CurContext; context; context = context->getParent()) {
    const auto found = declarationsIn(*context->getRedeclContext(), name_);
    if (!found.empty()) return found.size() == 1 && llvm::isa<clang::FunctionTemplateDecl>(found.front());
  }
  return false;
}

/// A mark is `__attribute__((device))`.
void SidesOfSpecialisations::readSpecifier(const clang::Token& token) {
  if (token.isOneOf(clang::tok::kw_constexpr, clang::tok::kw_consteval)) specifiers_.isConstexpr = true;
  if (last_ != clang::tok::l_paren || lastButOne_ != clang::tok::l_paren) return;
  const clang::IdentifierInfo* const word = token.getIdentifierInfo();
  if (!word) return;
  specifiers_.forDevice |= word->isStr("device");
  specifiers_.forHost |= word->isStr("host");
}

void SidesOfSpecialisations::beginName(const clang::Token& token) {
  part_ = Part::name;
  ahead_ = Ahead::none;
  at_ = token.getLocation();
  open_ = 0;
  isOperator_ = token.is(clang::tok::kw_operator);
  name_ = isOperator_ ? clang::DeclarationName() : token.getIdentifierInfo();
}

/// Up to the parenthesis that opens the parameters: the symbol of an operator or the type of a conversion, and template
/// arguments.
void SidesOfSpecialisations::readName(const clang::Token& token) {
  if (isOperator_) {
    isOperator_ = false;
    const clang::OverloadedOperatorKind kind = operatorOf(token.getKind());
    if (kind != clang::OO_None) name_ = sema_->Context.DeclarationNames.getCXXOperatorName(kind);
    return;
  }
  if (!token.is(clang::tok::l_paren)) return;
  // The first of `operator()` was taken for its symbol, and this may be its second.
  open_ = 1;
  part_ = Part::parameters;
}

/// While the parameters are read, Clang is in the class or namespace that the name is of.
void SidesOfSpecialisations::adjustWhatIsNamed() {
  for (clang::DeclContext* context = sema_->CurContext; context; context = context->getParent()) {
    bool isFound = false, isOfDevice = false;
    for (clang::NamedDecl* declaration : declarationsIn(*context->getRedeclContext(), name_)) {
      if (auto* const pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration)) {
        for (clang::FunctionDecl* redeclaration : pattern->getTemplatedDecl()->redecls()) {
          isOfDevice |= isForDevice(*redeclaration);
          adjustMarks(*redeclaration);
        }
        isFound = true;
      } else if (clang::CXXMethodDecl* const member = specialisableMember(*declaration)) {
        isOfDevice |= isForDevice(*member);
        adjustMember(*member);
        isFound = true;
      }
    }
    if (isOfDevice) ofDevice_.add(sources_, at_);
    if (isFound) return;
  }
}

/// Clang compares the marks of templates and specialisations without those that are implied.
void SidesOfSpecialisations::adjustMarks(clang::FunctionDecl& pattern) {
  adjustMark<clang::CUDADeviceAttr>(pattern, specifiers_.forDevice);
  adjustMark<clang::CUDAHostAttr>(pattern, specifiers_.forHost);
}

template <class Mark>
void SidesOfSpecialisations::adjustMark(clang::FunctionDecl& pattern, bool isWritten) {
  if (auto* const mark = pattern.getAttr<Mark>()) {
    implied_.emplace_back(mark, mark->isImplicit());
    mark->setImplicit(!isWritten);
  } else if (isWritten) {
    auto* const added = Mark::Create(sema_->Context);
    pattern.addAttr(added);
    added_.emplace_back(&pattern, added);
  }
}

/// Clang compares what members are for, implied or not.
void SidesOfSpecialisations::adjustMember(clang::CXXMethodDecl& member) {
  Member& before = members_.emplace_back(&member, member.getConstexprKind());
  for (clang::Attr* mark : member.attrs()) {
    if (isMark(*mark)) before.marks.push_back(mark);
  }
  member.dropAttrs<clang::CUDADeviceAttr, clang::CUDAHostAttr>();
  const bool isImplied = specifiers_.isConstexpr && !specifiers_.forDevice && !specifiers_.forHost;
  if (specifiers_.forDevice || isImplied) member.addAttr(clang::CUDADeviceAttr::CreateImplicit(sema_->Context));
  if (specifiers_.forHost || isImplied) member.addAttr(clang::CUDAHostAttr::CreateImplicit(sema_->Context));
  if (!member.isConsteval())
    member.setConstexprKind(specifiers_.isConstexpr ? clang::ConstexprSpecKind::Constexpr
                                                    : clang::ConstexprSpecKind::Unspecified);
}

/// A specialisation is for its own sides and those of the member.
void SidesOfSpecialisations::restoreMember(const Member& member) const {
  clang::CXXMethodDecl& declaration = *member.declaration;
  clang::FunctionDecl* const specialisation = declaration.getMostRecentDecl();
  if (specialisation->getLocation() == at_) {
    for (clang::FunctionDecl* one : {specialisation, static_cast<clang::FunctionDecl*>(&declaration)}) {
      for (clang::Attr* mark : member.marks) {
        const bool isThere =
            llvm::any_of(one->attrs(), [&](auto* other) { return other->getKind() == mark->getKind(); });
        if (!isThere) one->addAttr(mark->clone(sema_->Context));
      }
    }
    return;
  }
  declaration.dropAttrs<clang::CUDADeviceAttr, clang::CUDAHostAttr>();
  for (clang::Attr* mark : member.marks) declaration.addAttr(mark);
  declaration.setConstexprKind(member.kind);
}

void SidesOfSpecialisations::restore() {
  for (const auto& [mark, wasImplicit] : std::exchange(implied_, {})) mark->setImplicit(wasImplicit);
  for (const auto& [pattern, mark] : std::exchange(added_, {})) llvm::erase(pattern->getAttrs(), mark);
  for (const Member& member : std::exchange(members_, {})) restoreMember(member);
  part_ = Part::none;
  isAtEnd_ = false;
}

}  // namespace lathe::dialects
