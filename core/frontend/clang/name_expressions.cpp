// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Name expressions and the description of kernels, on the AST.
#include "core/frontend/clang/name_expressions.h"

#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/IR/Module.h"

#include "core/frontend/clang/abi/passed_classes.h"
#include "core/frontend/clang/diagnostics.h"
#include "core/frontend/clang/imports.h"
#include "core/frontend/clang/neutral_kernel.h"
#include "core/frontend/dialect.h"
#include "core/frontend/entry_layout.h"

namespace lathe::detail {
namespace {

constexpr const char* holderName = "__lathe_name_expressions";
constexpr std::size_t mostKernelNames = 4096;

bool hasAnnotation(const clang::FunctionDecl& function, llvm::StringRef text) {
  return std::ranges::any_of(function.specific_attrs<clang::AnnotateAttr>(),
                             [&](const clang::AnnotateAttr* attribute) { return attribute->getAnnotation() == text; });
}

bool isKernel(const clang::FunctionDecl& function, const Dialect& dialect) {
  return (dialect.isKernel && dialect.isKernel(function)) || hasAnnotation(function, "lathe.kernel");
}

/// The function that one statement of the holder names: the outermost reference, which is visited first. Functions in
/// its template arguments come behind it.
class ReferenceFinder final : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* expression) override {
    found = llvm::dyn_cast<clang::FunctionDecl>(expression->getDecl());
    return found == nullptr;
  }
  const clang::FunctionDecl* found = nullptr;
};

/// Where the neutral triple makes something else of a value than the source says, which IR does not show. One of type
/// long double that is made at run time would be a double on the device; constants are folded as the host would, whose
/// headers write many with an L. Objects behind a function's named parameters go as their fields, one by one, and
/// va_arg expects them whole.
class ChangedValueFinder final : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit ChangedValueFinder(const clang::ASTContext& ast) : ast_(ast) {}

  bool VisitCastExpr(clang::CastExpr* cast) override {
    return cast->getCastKind() != clang::CK_LValueToRValue || look(*cast);
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* const callee = call->getDirectCallee();
    if (!callee || !callee->isVariadic() || !callee->isDefined()) return look(*call);
    for (unsigned i = callee->getNumParams(); i < call->getNumArgs(); ++i) {
      const clang::Expr& argument = *call->getArg(i);
      const clang::QualType type = argument.getType();
      if (!type->isRecordType() && !type->isAnyComplexType()) continue;
      found("an object, of type '" + type.getUnqualifiedType().getAsString() +
                "', among the variable arguments of a function",
            "pass a pointer to it, or its members", argument.getExprLoc());
      return false;
    }
    return look(*call);
  }

  clang::SourceLocation where;
  std::string message, hint;

 private:
  bool look(const clang::Expr& value) {
    if (!value.getType()->isSpecificBuiltinType(clang::BuiltinType::LongDouble) || value.isValueDependent() ||
        value.isEvaluatable(ast_))
      return true;
    found("a value of type long double, which no device has",
          "use double, whose range and precision are the same on every target", value.getExprLoc());
    return false;
  }
  void found(std::string what, std::string instead, clang::SourceLocation at) {
    message = std::move(what);
    hint = std::move(instead);
    where = at;
  }

  const clang::ASTContext& ast_;
};

/// Marks pointers to const that are restrict as such: what is read through one, nothing writes while the function runs
/// (C11 6.7.3.1, paragraph 4). LLVM finds that out by itself, but not where the pointer is compared as a number.
void markUnwritten(const clang::FunctionDecl& kernel, llvm::Function& function) {
  if (function.arg_size() != kernel.getNumParams()) return;
  for (unsigned i = 0; i < kernel.getNumParams(); ++i) {
    const clang::QualType type = kernel.getParamDecl(i)->getType(), pointee = type->getPointeeType();
    if (type->isPointerType() && type.isRestrictQualified() && pointee.isConstQualified() &&
        !pointee.isVolatileQualified() && function.getArg(i)->getType()->isPointerTy())
      function.addParamAttr(i, llvm::Attribute::ReadOnly);
  }
}

/// Reports parameters that a launch cannot hand over by value in the sense of C++, because their copy would need code.
/// Where the host's code makes the copies before it launches, there are none.
void checkParameters(const clang::FunctionDecl& kernel, const clang::ASTContext& ast, const Dialect& dialect,
                     std::vector<Diagnostic>& diagnostics) {
  if (dialect.copiesArguments) return;
  for (const clang::ParmVarDecl* parameter : kernel.parameters()) {
    const clang::QualType type = parameter->getType();
    if (type->isReferenceType() || type.isTriviallyCopyableType(ast)) continue;
    // std::pair: only its assignment is not trivial, which a launch has no use for.
    if (const auto* record = type->getAsCXXRecordDecl(); record && record->canPassInRegisters()) continue;
    diagnostics.push_back({.severity = Severity::error,
                           .code = ErrorCode::PortableRule,
                           .message = "kernel '" + kernel.getQualifiedNameAsString() + "': parameter '" +
                                      parameter->getNameAsString() + "' has type '" + type.getAsString() +
                                      "', which is not trivially copyable",
                           .location = sdk::locationOf(ast.getSourceManager(), parameter->getLocation()),
                           .snippet = {},
                           .notes = {},
                           .hint = "pass a pointer to it, or a trivially copyable struct of what the kernel needs"});
  }
}

}  // namespace

std::string nameExpressionText(const std::vector<std::string>& entries) {
  if (entries.empty()) return {};
  std::string out = "\n#line 1 \"" + std::string(nameExpressionFile) + "\"\n";
  // One line each, so that a diagnostic's line tells the entry. Host code in CUDA: only that may name a kernel.
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::string expression = entries[i];
    std::ranges::replace(expression, '\n', ' ');
    out += (i == 0 ? "[[maybe_unused]] static void " + std::string(holderName) + "() { " : std::string()) + "(void)(&" +
           expression + ");\n";
  }
  return out + "}\n";
}

void KernelCollector::noteKernels(const clang::Decl& declaration) {
  if (kernelNames_.size() >= mostKernelNames) return;
  const clang::Decl* inner = &declaration;
  if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(inner)) inner = pattern->getTemplatedDecl();
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(inner)) {
    if (function->getDeclName().isIdentifier() && function->getName() == holderName)
      holder_ = function;
    else if (function->doesThisDeclarationHaveABody() && isKernel(*function, dialect_) &&
             !function->getASTContext().getSourceManager().isInSystemHeader(function->getLocation()))
      addName(function->getQualifiedNameAsString());
  } else if (const auto* scope = llvm::dyn_cast<clang::DeclContext>(inner)) {
    if (llvm::isa<clang::NamespaceDecl>(inner) || llvm::isa<clang::LinkageSpecDecl>(inner)) {
      for (const clang::Decl* nested : scope->decls()) noteKernels(*nested);
    }
  }
}

/// Once each: a template is seen again with each instantiation.
void KernelCollector::addName(std::string name) {
  if (!llvm::is_contained(kernelNames_, name)) kernelNames_.push_back(std::move(name));
}

bool KernelCollector::HandleTopLevelDecl(clang::DeclGroupRef group) {
  for (const clang::Decl* declaration : group) noteKernels(*declaration);
  return true;
}

void KernelCollector::resolveExpressions(const clang::FunctionDecl& holder, const clang::ASTContext& ast) {
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(holder.getBody());
  if (!body) return;
  std::size_t i = 0;
  for (clang::Stmt* statement : body->body()) {
    if (i == expressions_.size()) break;
    ReferenceFinder finder;
    finder.TraverseStmt(statement);
    const std::string& expression = expressions_[i++];
    if (finder.found && isKernel(*finder.found, dialect_)) {
      const clang::GlobalDecl kernel = finder.found->isReferenceableKernel()
                                           ? clang::GlobalDecl(finder.found, clang::KernelReferenceKind::Kernel)
                                           : clang::GlobalDecl(finder.found);
      entries_.push_back({expression, generator_.GetMangledName(kernel).str()});
      continue;
    }
    diagnostics_.push_back(
        {.severity = Severity::error,
         .code = ErrorCode::UnknownKernel,
         .message = "'" + expression + "' is not a kernel",
         .location =
             finder.found ? sdk::locationOf(ast.getSourceManager(), finder.found->getLocation()) : SourceLocation{},
         .snippet = {},
         .notes = {},
         .hint = finder.found ? "mark the function with " + std::string(dialect_.kernelMarker) : ""});
  }
}

void KernelCollector::HandleTranslationUnit(clang::ASTContext& ast) {
  if (ast.getDiagnostics().hasErrorOccurred()) return;
  if (holder_) resolveExpressions(*holder_, ast);
  llvm::Module* const module = generator_.GetModule();
  if (!module) return;
  markImports(generator_, ast);
  if (!native_)
    passClassesByAddress(generator_, [&](const clang::FunctionDecl& function) { return isKernel(function, dialect_); });
  std::vector<std::pair<const clang::FunctionDecl*, llvm::Function*>> defined;
  for (llvm::Function& function : *module) {
    if (function.isDeclaration()) continue;
    const auto* declaration =
        llvm::dyn_cast_or_null<clang::FunctionDecl>(generator_.GetDeclForMangledName(function.getName()));
    if (declaration) defined.emplace_back(declaration, &function);
  }
  for (const auto& [declaration, function] : defined) {
    if (!native_) checkValues(*declaration, *function, ast);
    describe(*declaration, *function, ast);
  }
}

void KernelCollector::checkValues(const clang::FunctionDecl& declaration, llvm::Function& function,
                                  const clang::ASTContext& ast) {
  clang::Stmt* const body = declaration.getBody();
  if (!body || ast.getSourceManager().isInSystemHeader(declaration.getLocation())) return;
  ChangedValueFinder finder(ast);
  finder.TraverseStmt(body);
  if (!finder.where.isValid()) return;
  const SourceLocation at = sdk::locationOf(ast.getSourceManager(), finder.where);
  diagnostics_.push_back({.severity = Severity::error,
                          .code = ErrorCode::Unsupported,
                          .message = finder.message,
                          .location = at,
                          .snippet = {},
                          .notes = {},
                          .hint = finder.hint});
  marked_.push_back({function.getName().str(), {at}, {}});
}

/// Warns of parameters that a host compiled against another C++ library may hand over as other bytes.
void KernelCollector::checkLayouts(const clang::FunctionDecl& kernel, const clang::ASTContext& ast) {
  for (const clang::ParmVarDecl* parameter : kernel.parameters()) {
    const clang::QualType type = parameter->getType();
    if (type->isReferenceType()) continue;
    const auto found = unsharedClass(type, ast, toolkit_);
    if (!found) continue;
    const std::string holds = found->place.empty() ? "has type '" + found->type + "'"
                                                   : "holds a '" + found->type + "' ('" + found->place + "')";
    const std::string library = found->ofToolkit ? "the toolkit" : "the host's C++ library";
    diagnostics_.push_back(
        {.severity = Severity::warning,
         .code = ErrorCode::ArgumentMismatch,
         .message = "kernel '" + kernel.getQualifiedNameAsString() + "': parameter '" + parameter->getNameAsString() +
                    "' " + holds + ", which " + library + " may lay out otherwise",
         .location = sdk::locationOf(ast.getSourceManager(), parameter->getLocation()),
         .snippet = {},
         .notes = {},
         .hint = "kernels are compiled against libc++, most hosts against GCC's library: pass a struct "
                 "of your own, or classes that are the same in both, as std::pair and std::array"});
  }
}

/// What is known of a kernel or an exported function only here goes with its IR.
void KernelCollector::describe(const clang::FunctionDecl& declaration, llvm::Function& function,
                               const clang::ASTContext& ast) {
  if (hasAnnotation(declaration, "lathe.export")) {
    const TypeLayout result = describeResult(declaration, ast);
    attachEntry(function, describeKernel(declaration, ast), &result);
  }
  if (!isKernel(declaration, dialect_)) return;
  checkParameters(declaration, ast, dialect_, diagnostics_);
  checkLayouts(declaration, ast);
  llvm::Function* kernel = &function;
  if (native_) {
    auto neutral = neutralKernel(generator_, declaration, function);
    if (!neutral) {
      diagnostics_.push_back({.severity = Severity::error,
                              .code = neutral.error().code,
                              .message = neutral.error().message,
                              .location = sdk::locationOf(ast.getSourceManager(), declaration.getLocation()),
                              .snippet = {},
                              .notes = {},
                              .hint = neutral.error().hint});
      return;
    }
    kernel = *neutral;
  }
  markUnwritten(declaration, *kernel);
  if (dialect_.markKernel) dialect_.markKernel(declaration, *kernel);
  attachEntry(*kernel, describeKernel(declaration, ast));
}

}  // namespace lathe::detail
