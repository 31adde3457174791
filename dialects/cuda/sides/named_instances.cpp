// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances that host code would have made.
#include "dialects/cuda/sides/named_instances.h"

#include <optional>
#include <vector>

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/Template.h"
#include "clang/Sema/TemplateDeduction.h"

#include "dialects/cuda/sides/broken_code.h"

namespace lathe::dialects {
namespace {

/// What a condition is in an instance of the template that it belongs to.
std::optional<bool> valueIn(clang::Sema& sema, clang::FunctionDecl& instance, const clang::Expr& condition) {
  const clang::Sema::SFINAETrap quiet(sema);
  const clang::Sema::InstantiatingTemplate frame(sema, condition.getExprLoc(), &instance);
  if (frame.isInvalid()) return std::nullopt;
  const clang::EnterExpressionEvaluationContext constant(sema,
                                                         clang::Sema::ExpressionEvaluationContext::ConstantEvaluated);
  const clang::ExprResult made =
      sema.SubstExpr(const_cast<clang::Expr*>(&condition), sema.getTemplateInstantiationArgs(&instance));
  bool out = false;
  if (made.isInvalid() || made.get()->isValueDependent() || made.get()->containsErrors() ||
      !made.get()->EvaluateAsBooleanCondition(out, sema.Context))
    return std::nullopt;
  return out;
}

/// An instance has no statement in which an argument was broken: what its template names there with arguments of their
/// own, such as kernel<Tile, T>, is found with the instance's.
void instantiateAsNamed(clang::Sema& sema, clang::FunctionDecl& instance, clang::Stmt& pattern) {
  const auto holds = [&](const clang::Expr& condition) { return valueIn(sema, instance, condition); };
  for (const clang::OverloadExpr* const name : dependentNames(pattern, holds)) {
    const clang::SourceLocation at = name->getNameLoc();
    std::vector<clang::FunctionDecl*> found;
    {
      const clang::Sema::SFINAETrap quiet(sema);  // what cannot be made, nobody asked for
      const clang::Sema::InstantiatingTemplate frame(sema, at, &instance);
      if (frame.isInvalid()) return;
      const clang::MultiLevelTemplateArgumentList values = sema.getTemplateInstantiationArgs(&instance);
      clang::TemplateArgumentListInfo written(at, at), arguments(at, at);
      name->copyTemplateArgumentsInto(written);
      if (sema.SubstTemplateArguments(written.arguments(), values, arguments)) continue;
      for (clang::NamedDecl* const declared : name->decls()) {
        auto* const callee = llvm::dyn_cast<clang::FunctionTemplateDecl>(declared->getUnderlyingDecl());
        if (!callee || callee->getDeclContext()->isDependentContext()) continue;
        clang::FunctionDecl* made = nullptr;
        clang::sema::TemplateDeductionInfo facts(at);
        const auto result = sema.DeduceTemplateArguments(callee, &arguments, clang::QualType(), made, facts);
        if (result == clang::TemplateDeductionResult::Success && made) found.push_back(made);
      }
    }
    for (clang::FunctionDecl* const one : found) sema.MarkFunctionReferenced(at, one);
  }
}

}  // namespace

void instantiateWhatIsNamed(clang::Sema& sema, clang::FunctionDecl& function) {
  const clang::FunctionDecl* const pattern = function.getTemplateInstantiationPattern();
  if (pattern && pattern->hasBody() && !function.isDependentContext())
    instantiateAsNamed(sema, function, *pattern->getBody());
  if (!function.hasBody()) return;
  const NamedInstances names = namedInstances(*function.getBody());
  for (clang::OverloadExpr* name : names.unresolved) {
    clang::FunctionDecl* instance = sema.ResolveSingleFunctionTemplateSpecialization(name, /*Complain=*/false);
    if (instance) sema.MarkFunctionReferenced(name->getNameLoc(), instance);
  }
  if (!function.isDependentContext()) return;
  for (const auto& [instance, where] : names.resolved) sema.MarkFunctionReferenced(where, instance);
  dropBrokenDeclarations(sema.Context, *function.getBody());
}

}  // namespace lathe::dialects
