// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names with a single percent sign in inline assembly, written with two; operands that a template's branches do not
// have; statements for other processors.
#include "dialects/cuda/inline_assembly.h"

#include <algorithm>
#include <string>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/DiagnosticAST.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringExtras.h"

namespace lathe::dialects {
namespace {

/// Doubles each `%` that stands before a name: `%laneid` becomes `%%laneid`; `%0`, `%[name]` and `%%` stay. A letter
/// before a number (`%r1`) names an operand with a modifier, here as in CUDA.
std::string withDoubledPercents(llvm::StringRef text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] != '%' || i + 1 == text.size()) continue;
    const char next = text[i + 1];
    const bool modifier = i + 2 < text.size() && (llvm::isDigit(text[i + 2]) || text[i + 2] == '[');
    if ((llvm::isAlpha(next) || next == '_') && !modifier)
      out += '%';
    else if (next == '%')
      out += text[++i];
  }
  return out;
}

/// What Clang says of a statement's text and keeps the statement, so that it says it again of each instance of a
/// template with the statement in it. CUDA's compiler looks at instances only: headers have such statements in branches
/// that no instance takes.
bool isAboutInstances(unsigned diagnostic) {
  return diagnostic == clang::diag::err_asm_invalid_operand_number ||
         diagnostic == clang::diag::err_asm_empty_symbolic_operand_name ||
         diagnostic == clang::diag::err_asm_unknown_symbolic_operand_name ||
         diagnostic == clang::diag::err_asm_unterminated_symbolic_operand_name;
}

class Statements final : public clang::DynamicRecursiveASTVisitor {
 public:
  Statements(clang::Sema& sema, const ForeignAssembly* foreign, std::vector<clang::SourceLocation>& wrong)
      : sema_(sema), ast_(sema.getASTContext()), foreign_(foreign), wrong_(wrong) {}

  bool VisitGCCAsmStmt(clang::GCCAsmStmt* statement) override {
    if (foreign_) foreign_->mend(sema_, *statement);
    const auto* const written = llvm::dyn_cast<clang::StringLiteral>(statement->getAsmStringExpr());
    if (!written) return true;
    const std::string text = withDoubledPercents(written->getString());
    const clang::QualType type = ast_.getStringLiteralArrayType(ast_.CharTy, static_cast<unsigned>(text.size()));
    statement->setAsmStringExpr(
        clang::StringLiteral::Create(ast_, text, written->getKind(), false, type, written->getBeginLoc()));
    llvm::SmallVector<clang::GCCAsmStmt::AsmStringPiece, 8> pieces;
    unsigned offset = 0;
    if (statement->AnalyzeAsmString(pieces, ast_, offset) != 0) wrong_.push_back(written->getBeginLoc());
    return true;
  }

 private:
  clang::Sema& sema_;
  clang::ASTContext& ast_;
  const ForeignAssembly* foreign_;
  std::vector<clang::SourceLocation>& wrong_;
};

}  // namespace

bool InlineAssembly::takes(const clang::Diagnostic& info) {
  if (!sema_ || !sema_->CurContext || reports_) return false;
  if (isAboutInstances(info.getID())) return sema_->CurContext->isDependentContext();
  if (info.getID() != clang::diag::err_asm_invalid_escape && !(foreign_ && foreign_->takes(info))) return false;
  auto* const function = llvm::dyn_cast<clang::FunctionDecl>(sema_->CurContext);
  if (!function) return false;
  if (std::ranges::find(functions_, function) == functions_.end()) functions_.push_back(function);
  return true;
}

bool InlineAssembly::mayTake(unsigned diagnostic) const {
  return diagnostic == clang::diag::err_asm_invalid_escape || (foreign_ && foreign_->mayTake(diagnostic));
}

/// Functions of both sides: Clang keeps what it has to say of them until it knows that the device calls them.
void InlineAssembly::takeDeferred() {
  for (auto& [function, deferred] : sema_->DeviceDeferredDiags) {
    const auto about = [&](const clang::PartialDiagnosticAt& diagnostic) {
      return mayTake(diagnostic.second.getDiagID());
    };
    if (std::ranges::none_of(deferred, about)) continue;
    std::erase_if(deferred, about);
    functions_.push_back(const_cast<clang::FunctionDecl*>(function.operator const clang::FunctionDecl*()));
  }
}

void InlineAssembly::mend() {
  if (!sema_) return;  // declarations of a precompiled header come before the parser
  takeDeferred();
  std::vector<clang::SourceLocation> wrong;
  reports_ = true;
  std::erase_if(functions_, [&](clang::FunctionDecl* function) {
    if (const clang::FunctionDecl* const definition = function->getDefinition())
      function = const_cast<clang::FunctionDecl*>(definition);
    if (function->willHaveBody() || !function->doesThisDeclarationHaveABody()) return false;
    Statements(*sema_, foreign_, wrong).TraverseStmt(function->getBody());
    return true;
  });
  for (const clang::SourceLocation at : wrong) sema_->Diag(at, clang::diag::err_asm_invalid_escape);
  reports_ = false;
}

bool InlineAssembly::HandleTopLevelDecl(clang::DeclGroupRef) {
  mend();
  return true;
}

void InlineAssembly::HandleInlineFunctionDefinition(clang::FunctionDecl*) {
  mend();
}

void InlineAssembly::HandleTranslationUnit(clang::ASTContext&) {
  mend();
}

}  // namespace lathe::dialects
