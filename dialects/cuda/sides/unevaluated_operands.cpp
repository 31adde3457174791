// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mode of Clang in which code for the device may call the host's functions, set for the operands alone.
#include "dialects/cuda/sides/unevaluated_operands.h"

#include <memory>

#include "clang/AST/Decl.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateInstCallback.h"

namespace lathe::dialects {
namespace {

using Context = clang::Sema::CodeSynthesisContext;

/// Whether Clang puts arguments into the signature of a template: expressions there are operands or constants.
bool isSignature(const Context& instance) {
  switch (instance.Kind) {
    case Context::DefaultTemplateArgumentInstantiation:
    case Context::ExplicitTemplateArgumentSubstitution:
    case Context::DeducedTemplateArgumentSubstitution:
    case Context::PriorTemplateArgumentSubstitution:
    case Context::ExceptionSpecInstantiation:
    case Context::RequirementInstantiation:
    case Context::ConstraintSubstitution:
      return true;
    default:
      return false;
  }
}

/// Whether Clang makes an instance whose statements are evaluated.
bool isBody(const Context& instance) {
  return instance.Kind == Context::LambdaExpressionSubstitution ||
         (instance.Kind == Context::TemplateInstantiation &&
          llvm::isa_and_nonnull<clang::FunctionDecl>(instance.Entity));
}

}  // namespace

/// Follows Clang into templates and out again. Sema owns it.
class UnevaluatedOperands::Instances final : public clang::TemplateInstantiationCallback {
 public:
  explicit Instances(UnevaluatedOperands& operands) : operands_(operands) {}

  void initialize(const clang::Sema&) override {}
  void finalize(const clang::Sema&) override {}
  void atTemplateBegin(const clang::Sema&, const Context& instance) override {
    around_.push_back(operands_.options_.HIPStdPar);
    if (isSignature(instance))
      operands_.take(true);
    else if (isBody(instance))
      operands_.take(false);
  }
  void atTemplateEnd(const clang::Sema&, const Context&) override {
    if (around_.empty()) return;
    operands_.take(around_.back());
    around_.pop_back();
  }

 private:
  UnevaluatedOperands& operands_;
  std::vector<bool> around_;  ///< what was taken outside of each instance
};

UnevaluatedOperands::UnevaluatedOperands(clang::CompilerInstance& compiler) : options_(compiler.getLangOpts()) {}

void UnevaluatedOperands::take(bool hostCalls) {
  options_.HIPStdPar = hostCalls;
}

void UnevaluatedOperands::InitializeSema(clang::Sema& sema) {
  sema_ = &sema;
  sema.TemplateInstCallbacks.push_back(std::make_unique<Instances>(*this));
}

/// Code generation asks for the mode too.
void UnevaluatedOperands::ForgetSema() {
  sema_ = nullptr;
  take(false);
}

void UnevaluatedOperands::watch() {
  if (sema_) take(sema_->isUnevaluatedContext());
}

}  // namespace lathe::dialects
