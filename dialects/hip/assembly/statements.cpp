// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asm statements for AMD's GPUs.
#include "dialects/hip/assembly/statements.h"

#include <new>
#include <string>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Sema/Sema.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <lathe/sdk/portable_ir.h>

#include "dialects/hip/assembly/operands.h"

namespace lathe::dialects::amd {
namespace {

clang::Expr* literal(const clang::ASTContext& ast, llvm::StringRef text, clang::SourceLocation at) {
  const clang::QualType type = ast.getStringLiteralArrayType(ast.CharTy, static_cast<unsigned>(text.size()));
  return clang::StringLiteral::Create(ast, text, clang::StringLiteralKind::Ordinary, false, type, at);
}

/// Codes of more than a letter have `^` in front in IR.
std::string inIr(const std::string& kind) {
  return kind.size() == 2 ? "^" + kind : kind;
}

llvm::StringRef textOf(const llvm::CallInst& statement) {
  return llvm::cast<llvm::InlineAsm>(statement.getCalledOperand())->getAsmString();
}

/// Gives `statement` its text and constraints as they were written.
void restore(llvm::CallInst& statement, llvm::StringRef text, const Head& head) {
  const auto& before = *llvm::cast<llvm::InlineAsm>(statement.getCalledOperand());
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(before.getConstraintString()).split(parts, ',', -1, /*KeepEmpty=*/false);
  std::string constraints;
  std::size_t operand = 0;
  for (const llvm::StringRef part : parts) {
    constraints += constraints.empty() ? "" : ",";
    // Behind the written ones stand the inputs of "+v", which are tied.
    const bool isWritten = !part.starts_with("~") && operand < head.kinds.size();
    const std::string kind = isWritten ? head.kinds[operand++] : std::string();
    const llvm::StringRef standIn = part.ltrim("=&*");
    constraints += isOperand(kind) ? part.drop_back(standIn.size()).str() + inIr(kind) : part.str();
  }
  for (const std::string& clobber : head.clobbers) constraints += (constraints.empty() ? "~{" : ",~{") + clobber + "}";
  statement.setCalledOperand(llvm::InlineAsm::get(before.getFunctionType(), text, constraints, before.hasSideEffects(),
                                                  before.isAlignStack(), before.getDialect(), before.canThrow()));
}

/// What each result of a statement without instructions is: the input that shares its register. Null: it has another.
std::vector<llvm::Value*> tiedInputs(const llvm::CallInst& statement) {
  std::vector<llvm::Value*> out;
  unsigned input = 0;
  const auto& text = *llvm::cast<llvm::InlineAsm>(statement.getCalledOperand());
  for (const llvm::InlineAsm::ConstraintInfo& constraint : text.ParseConstraints()) {
    if (constraint.Type == llvm::InlineAsm::isOutput && !constraint.isIndirect) out.push_back(nullptr);
    if (constraint.Type != llvm::InlineAsm::isInput && !constraint.isIndirect) continue;
    llvm::Value* const value = statement.getArgOperand(input++);
    unsigned tied = 0;
    if (!constraint.Codes.empty() && !llvm::StringRef(constraint.Codes.front()).getAsInteger(10, tied) &&
        tied < out.size())
      out[tied] = value;
  }
  return out;
}

}  // namespace

bool mayBeAboutStatement(unsigned diagnostic) {
  return diagnostic == clang::diag::err_asm_invalid_output_constraint ||
         diagnostic == clang::diag::err_asm_invalid_input_constraint ||
         diagnostic == clang::diag::err_asm_unknown_register_name;
}

bool isAboutStatement(const clang::Diagnostic& info) {
  if (!mayBeAboutStatement(info.getID()) || info.getNumArgs() == 0 ||
      info.getArgKind(0) != clang::DiagnosticsEngine::ak_std_string)
    return false;
  const llvm::StringRef what = info.getArgStdStr(0);
  return info.getID() == clang::diag::err_asm_unknown_register_name ? isRegister(what) : isOperand(kindOf(what));
}

void mendStatement(clang::Sema& sema, clang::GCCAsmStmt& statement) {
  const clang::ASTContext& ast = sema.getASTContext();
  Head head;
  llvm::SmallVector<clang::Expr*> constraints, expressions, clobbers;
  llvm::SmallVector<clang::IdentifierInfo*> names;
  bool isOfAmd = false;
  const auto add = [&](const std::string& constraint, const clang::Expr& place, clang::Expr* expression,
                       clang::IdentifierInfo* name) {
    const llvm::StringRef kind = kindOf(constraint);
    isOfAmd |= isOperand(kind);
    head.kinds.push_back(isOperand(kind) ? kind.str() : std::string());
    constraints.push_back(literal(ast, standInOf(constraint), place.getBeginLoc()));
    expressions.push_back(expression);
    names.push_back(name);
  };
  const clang::TargetInfo& target = ast.getTargetInfo();
  llvm::SmallVector<clang::TargetInfo::ConstraintInfo> outputs;
  for (unsigned i = 0; i < statement.getNumOutputs(); ++i) {
    const std::string constraint = statement.getOutputConstraint(i);
    const clang::Expr& place = *statement.getOutputConstraintExpr(i);
    add(constraint, place, statement.getOutputExpr(i), statement.getOutputIdentifier(i));
    outputs.emplace_back(standInOf(constraint), statement.getOutputName(i));
    if (!target.validateOutputConstraint(outputs.back()))
      sema.Diag(place.getBeginLoc(), clang::diag::err_asm_invalid_output_constraint) << constraint;
  }
  for (unsigned i = 0; i < statement.getNumInputs(); ++i) {
    clang::Expr* value = statement.getInputExpr(i);
    // What Clang does with operands behind the check that it stopped at.
    if (!value->isTypeDependent() && value->isGLValue()) {
      const clang::ExprResult read = sema.DefaultFunctionArrayLvalueConversion(value);
      if (!read.isInvalid()) value = read.get();
    }
    const std::string constraint = statement.getInputConstraint(i);
    const clang::Expr& place = *statement.getInputConstraintExpr(i);
    add(constraint, place, value, statement.getInputIdentifier(i));
    clang::TargetInfo::ConstraintInfo input(standInOf(constraint), statement.getInputName(i));
    if (!target.validateInputConstraint(outputs, input))
      sema.Diag(place.getBeginLoc(), clang::diag::err_asm_invalid_input_constraint) << constraint;
  }
  for (unsigned i = 0; i < statement.getNumLabels(); ++i) {
    expressions.push_back(statement.getLabelExpr(i));
    names.push_back(statement.getLabelIdentifier(i));
  }
  for (unsigned i = 0; i < statement.getNumClobbers(); ++i) {
    const std::string name = statement.getClobber(i);
    if (isRegister(name))
      head.clobbers.push_back(name);
    else if (clobbers.push_back(statement.getClobberExpr(i)); !target.isValidClobber(name))
      sema.Diag(clobbers.back()->getBeginLoc(), clang::diag::err_asm_unknown_register_name) << name;
  }
  if (!isOfAmd && head.clobbers.empty()) return;
  clang::Expr* const text =
      literal(ast, written(head) + statement.getAsmString(), statement.getAsmStringExpr()->getBeginLoc());
  // In its own place, because what holds it has its address. Nodes of the tree are never destroyed.
  new (&statement) clang::GCCAsmStmt(
      ast, statement.getAsmLoc(), statement.isSimple(), statement.isVolatile(), statement.getNumOutputs(),
      statement.getNumInputs(), names.data(), constraints.data(), expressions.data(), text,
      static_cast<unsigned>(clobbers.size()), clobbers.data(), statement.getNumLabels(), statement.getRParenLoc());
}

void markStatements(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call || !call->isInlineAsm()) continue;
      llvm::StringRef text = textOf(*call);
      Head head;
      const bool hasHead = takeHead(text, head);
      if (!hasHead && !isText(text)) continue;
      if (hasHead) restore(*call, std::string(text), head);
      call->addFnAttr(llvm::Attribute::get(module.getContext(), sdk::attribute::assembly, "hip"));
    }
  }
}

std::optional<sdk::AssemblyRefusal> replaceStatement(llvm::CallInst& statement) {
  const llvm::StringRef first = firstInstruction(textOf(statement));
  std::vector<llvm::Value*> results = tiedInputs(statement);
  if (!first.empty() || llvm::is_contained(results, nullptr)) {
    return sdk::AssemblyRefusal{
        "inline assembly of AMD's GPUs" + (first.empty() ? std::string() : " ('" + first.str() + "')"),
        "guard it with the preprocessor (__AMDGCN__), and give this target another way"};
  }
  llvm::Value* value = results.empty() ? nullptr : results.front();
  if (statement.getType()->isStructTy()) {
    value = llvm::PoisonValue::get(statement.getType());
    llvm::IRBuilder<> builder(&statement);
    for (unsigned i = 0; i < results.size(); ++i) value = builder.CreateInsertValue(value, results[i], i);
  }
  if (value) statement.replaceAllUsesWith(value);
  statement.eraseFromParent();
  return std::nullopt;
}

}  // namespace lathe::dialects::amd
