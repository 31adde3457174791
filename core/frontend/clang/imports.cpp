// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang annotates functions that are only declared, but not variables, and IR does not tell the size of one: both are
// looked up in the syntax tree.
#include "core/frontend/clang/imports.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "llvm/IR/Module.h"

#include <lathe/sdk/portable_ir.h>

namespace lathe::detail {
namespace {

bool isImport(const clang::Decl& declaration) {
  return llvm::any_of(declaration.specific_attrs<clang::AnnotateAttr>(), [](const clang::AnnotateAttr* annotation) {
    return annotation->getAnnotation() == sdk::attribute::imported;
  });
}

std::string codeOf(clang::QualType type, const clang::ASTContext& ast) {
  type = type.getCanonicalType();
  if (type->isVoidType()) return "v";
  if (type->isPointerType() || type->isReferenceType() || type->isNullPtrType()) return "p";
  const std::string bytes = std::to_string(ast.getTypeSizeInChars(type).getQuantity());
  if (type->isIntegralOrEnumerationType()) return "i" + bytes;
  return (type->isRealFloatingType() ? "f" : "r") + bytes;
}

std::string signatureOf(const clang::FunctionDecl& function, const clang::ASTContext& ast) {
  std::string out = codeOf(function.getReturnType(), ast) + "(";
  for (const clang::ParmVarDecl* parameter : function.parameters())
    out += (out.back() == '(' ? "" : ",") + codeOf(parameter->getType(), ast);
  if (function.isVariadic()) out += function.param_empty() ? "..." : ",...";
  return out + ")";
}

std::string sizeOf(const clang::VarDecl& variable, const clang::ASTContext& ast) {
  const clang::QualType type = variable.getType();
  return type->isIncompleteType() ? std::string() : std::to_string(ast.getTypeSizeInChars(type).getQuantity());
}

}  // namespace

void markImports(clang::CodeGenerator& generator, const clang::ASTContext& ast) {
  for (llvm::GlobalObject& object : generator.GetModule()->global_objects()) {
    if (!object.isDeclaration()) continue;
    const clang::Decl* const declaration = generator.GetDeclForMangledName(object.getName());
    if (!declaration || !isImport(*declaration)) continue;
    if (const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      llvm::cast<llvm::Function>(object).addFnAttr(sdk::attribute::imported, signatureOf(*function, ast));
    else if (const auto* const variable = llvm::dyn_cast<clang::VarDecl>(declaration))
      llvm::cast<llvm::GlobalVariable>(object).addAttribute(sdk::attribute::imported, sizeOf(*variable, ast));
  }
}

}  // namespace lathe::detail
