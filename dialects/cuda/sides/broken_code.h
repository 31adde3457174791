// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks over an AST in which some declarations are broken: what device code uses of them, and which instances of
// templates broken functions name.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace clang {
class ASTContext;
class Decl;
class Expr;
class FunctionDecl;
class NamedDecl;
class OverloadExpr;
class Stmt;
}  // namespace clang

namespace lathe::dialects {

/// A use of something broken in a function that must be whole.
struct UseOfBroken {
  const clang::NamedDecl* what = nullptr;  ///< null: the expression itself is broken
  clang::SourceLocation where;             ///< invalid: there is no such use
};

/// The first use of something broken, in `broken` or marked by Clang, in `function` or a function that it calls.
UseOfBroken findUseOfBroken(const clang::FunctionDecl& function,
                            const llvm::SmallPtrSetImpl<const clang::Decl*>& broken);

/// Names of templates with all their arguments.
struct NamedInstances {
  std::vector<clang::OverloadExpr*> unresolved;
  std::vector<std::pair<clang::FunctionDecl*, clang::SourceLocation>> resolved;
};

/// Those in a body where errors kept Clang from resolving the calls, or from instantiating the template that the body
/// belongs to. Arguments that depend on such a template say nothing.
NamedInstances namedInstances(clang::Stmt& body);

/// Names in a template's body with arguments of which some depend on its parameters, and none on what stands within it:
/// they mean something for an instance whose statements Clang could not make. \p holds says of conditions of
/// `if constexpr` what they are in that instance, of those that nothing within the body decides; branches that it does
/// not have count for nothing.
std::vector<clang::OverloadExpr*> dependentNames(
    clang::Stmt& body, llvm::function_ref<std::optional<bool>(const clang::Expr& condition)> holds);

/// Takes declarations that Clang could make nothing of out of a template's body: it gives up a whole block at the first
/// one when it makes an instance, and the launches behind it would be lost. What uses them is broken by itself.
void dropBrokenDeclarations(clang::ASTContext& ast, clang::Stmt& body);

}  // namespace lathe::dialects
