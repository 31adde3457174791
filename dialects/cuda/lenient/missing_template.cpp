// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `(name < number) > (arguments)`, in which the name is a member of what depends on a template's parameters, is a call:
// as a comparison of a comparison it would have no use. `call<name>`, in which the name is such a member and the
// template wants a type there, names the type.
#include "dialects/cuda/lenient/missing_template.h"

#include <cstddef>
#include <optional>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"

#include "dialects/cuda/template_bodies.h"

namespace lathe::dialects {
namespace {

struct Binary {
  clang::Expr* left = nullptr;
  clang::Expr* right = nullptr;
  clang::SourceLocation at;
};

/// `expression` as that operator, of operands of unknown types; nothing: it is none.
std::optional<Binary> binary(clang::Expr* expression, clang::BinaryOperatorKind kind) {
  if (const auto* const plain = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (plain->getOpcode() != kind) return std::nullopt;
    return Binary{plain->getLHS(), plain->getRHS(), plain->getOperatorLoc()};
  }
  // Where operators of that name are in sight.
  auto* const call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression);
  if (!call || call->getNumArgs() != 2 || call->getOperator() != clang::BinaryOperator::getOverloadedOperator(kind))
    return std::nullopt;
  return Binary{call->getArg(0), call->getArg(1), call->getOperatorLoc()};
}

/// What stands between the commas of `expression`.
void split(clang::Expr* expression, llvm::SmallVectorImpl<clang::Expr*>& out) {
  if (const auto both = binary(expression, clang::BO_Comma)) {
    split(both->left, out);
    out.push_back(both->right);
  } else {
    out.push_back(expression);
  }
}

bool isWord(char letter) {
  return llvm::isAlnum(letter) || letter == '_';
}

/// Whether a template argument may be a type without `typename`.
bool mayBeType(llvm::StringRef argument) {
  const llvm::StringRef trimmed = argument.trim();
  return trimmed.contains("::") && !trimmed.starts_with("typename");
}

/// Whether `text` has `<…, name::name, …>(` without `typename` before the first name.
bool hasTypeArgument(llvm::StringRef text) {
  constexpr std::size_t longest = 400;
  for (std::size_t end = text.find(">("); end != llvm::StringRef::npos; end = text.find(">(", end + 1)) {
    int depth = 0;
    std::size_t behind = end;
    for (std::size_t at = end; at > 0 && end - at < longest;) {
      const char letter = text[--at];
      if (letter == ';' || letter == '{' || letter == '}') break;
      if (letter == '>' || letter == ')') ++depth;
      if (depth == 0 && (letter == ',' || letter == '<')) {
        if (mayBeType(text.slice(at + 1, behind))) return true;
        behind = at;
        if (letter == '<') break;
      } else if (letter == '<' || letter == '(') {
        if (--depth < 0) break;
      }
    }
  }
  return false;
}

/// Whether `text` has `::name<…>(` or `.name<…>(`, with no other bracket in the dots and no `template` before the name.
bool hasCallOfMember(llvm::StringRef text) {
  for (std::size_t end = text.find(">("); end != llvm::StringRef::npos; end = text.find(">(", end + 1)) {
    const std::size_t begin = text.take_front(end).find_last_of("<>;{}()");
    if (begin == llvm::StringRef::npos || text[begin] != '<') continue;
    const llvm::StringRef before = text.take_front(begin);
    const llvm::StringRef rest = before.rtrim("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (rest.size() == before.size()) continue;
    if (rest.ends_with(">::") || rest.ends_with("->") || (rest.ends_with(".") && rest.size() > 1)) return true;
    // A class that a template's parameter is, or that an alias names.
    if (rest.ends_with("::") && rest.size() > 2 && isWord(rest[rest.size() - 3])) return true;
  }
  return false;
}

class Calls final : public TemplateBodies {
  bool mayConcern(llvm::StringRef text) const override { return hasCallOfMember(text) || hasTypeArgument(text); }

  bool VisitOverloadExpr(clang::OverloadExpr* call) override {
    const auto arguments = call->template_arguments();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].getArgument().isPackExpansion()) break;  // of as many arguments as nobody knows yet
      if (arguments[i].getArgument().getKind() != clang::TemplateArgument::Expression) continue;
      const auto* const name = llvm::dyn_cast<clang::DependentScopeDeclRefExpr>(arguments[i].getSourceExpression());
      const clang::IdentifierInfo* const word = name ? name->getDeclName().getAsIdentifierInfo() : nullptr;
      if (!word || name->hasExplicitTemplateArgs() || !wantsType(*call, i)) continue;
      // The list belongs to the expression, which nobody has copied yet.
      const_cast<clang::TemplateArgumentLoc&>(arguments[i]) = typeArgument(*name, *word);
    }
    return true;
  }

  bool VisitStmt(clang::Stmt* statement) override {
    for (clang::Stmt*& child : statement->children()) {
      auto* const expression = llvm::dyn_cast_or_null<clang::Expr>(child);
      if (!expression) continue;
      if (clang::Expr* const call = asCall(expression)) child = call;
    }
    return true;
  }

  /// The parameter that the argument at that place is for: a pack takes all from its own on. Null: there is none.
  static const clang::NamedDecl* parameterFor(const clang::TemplateParameterList& parameters, std::size_t place) {
    for (std::size_t i = 0; i < parameters.size() && i <= place; ++i) {
      const clang::NamedDecl* const parameter = parameters.getParam(static_cast<unsigned>(i));
      if (i == place || parameter->isParameterPack()) return parameter;
    }
    return nullptr;
  }

  /// Whether each template that is called so has a parameter for a type at that place.
  static bool wantsType(const clang::OverloadExpr& call, std::size_t place) {
    bool wants = false;
    for (const clang::NamedDecl* const declaration : call.decls()) {
      const auto* const called = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration->getUnderlyingDecl());
      if (!called) return false;
      const clang::NamedDecl* const parameter = parameterFor(*called->getTemplateParameters(), place);
      if (!parameter || !llvm::isa<clang::TemplateTypeParmDecl>(parameter)) return false;
      wants = true;
    }
    return wants;
  }

  /// `name` as `typename name`.
  clang::TemplateArgumentLoc typeArgument(const clang::DependentScopeDeclRefExpr& name,
                                          const clang::IdentifierInfo& word) {
    const clang::NestedNameSpecifierLoc scope = name.getQualifierLoc();
    const clang::QualType type =
        ast().getDependentNameType(clang::ElaboratedTypeKeyword::Typename, scope.getNestedNameSpecifier(), &word);
    clang::TypeSourceInfo* const written = ast().CreateTypeSourceInfo(type);
    auto at = written->getTypeLoc().castAs<clang::DependentNameTypeLoc>();
    at.setElaboratedKeywordLoc(name.getBeginLoc());
    at.setQualifierLoc(scope);
    at.setNameLoc(name.getLocation());
    return {clang::TemplateArgument(type), written};
  }

  /// The call that `expression` was meant to be; null: it is none.
  clang::Expr* asCall(clang::Expr* expression) {
    const auto greater = binary(expression, clang::BO_GT);
    const auto less = greater ? binary(greater->left, clang::BO_LT) : std::nullopt;
    auto* const arguments = less ? llvm::dyn_cast<clang::ParenExpr>(greater->right) : nullptr;
    if (!arguments) return nullptr;
    clang::TemplateArgumentListInfo list(less->at, greater->at);
    list.addArgument({clang::TemplateArgument(less->right, /*IsCanonical=*/false), less->right});
    clang::Expr* const callee = withArguments(less->left, list);
    if (!callee) return nullptr;
    llvm::SmallVector<clang::Expr*, 8> values;
    split(arguments->getSubExpr(), values);
    return clang::CallExpr::Create(ast(), callee, values, ast().DependentTy, clang::VK_PRValue, arguments->getRParen(),
                                   clang::FPOptionsOverride());
  }

  /// The member template that `name` names, with those arguments; null: it is no member of a dependent class.
  clang::Expr* withArguments(clang::Expr* name, const clang::TemplateArgumentListInfo& list) {
    if (const auto* const scoped = llvm::dyn_cast<clang::DependentScopeDeclRefExpr>(name)) {
      if (scoped->hasExplicitTemplateArgs()) return nullptr;
      return clang::DependentScopeDeclRefExpr::Create(ast(), scoped->getQualifierLoc(), scoped->getLocation(),
                                                      scoped->getNameInfo(), &list);
    }
    const auto* const member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(name);
    if (!member || member->hasExplicitTemplateArgs() || member->isImplicitAccess()) return nullptr;
    return clang::CXXDependentScopeMemberExpr::Create(
        ast(), member->getBase(), member->getBaseType(), member->isArrow(), member->getOperatorLoc(),
        member->getQualifierLoc(), member->getMemberLoc(), member->getFirstQualifierFoundInScope(),
        member->getMemberNameInfo(), &list);
  }
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> readMissingTemplates() {
  return std::make_unique<Calls>();
}

bool isMissingTemplate(const clang::Diagnostic& info) {
  return info.getID() == clang::diag::err_missing_dependent_template_keyword;
}

bool isTypeToMeasure(const clang::Diagnostic& info) {
  if (info.getID() != clang::diag::err_typename_missing || !info.hasSourceManager() || info.getNumRanges() == 0)
    return false;
  const clang::SourceManager& sources = info.getSourceManager();
  const auto [file, begin] = sources.getDecomposedLoc(sources.getSpellingLoc(info.getLocation()));
  const auto [fileOfEnd, last] = sources.getDecomposedLoc(sources.getSpellingLoc(info.getRange(0).getEnd()));
  bool invalid = false;
  const llvm::StringRef text = sources.getBufferData(file, &invalid);
  if (invalid || file != fileOfEnd || last < begin || last > text.size()) return false;
  // Only where the name in parentheses is the whole operand has Clang a type to go on with.
  const llvm::StringRef behind =
      text.drop_front(last).drop_while([](char c) { return llvm::isAlnum(c) || c == '_'; }).ltrim();
  llvm::StringRef before = text.take_front(begin).rtrim();
  if (!behind.starts_with(")") || !before.consume_back("(")) return false;
  before = before.rtrim();
  return before.ends_with("sizeof") || before.ends_with("alignof");
}

}  // namespace lathe::dialects
