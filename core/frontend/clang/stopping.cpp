// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang goes on with templates after the last declaration, where no consumer can end it. After a fatal error it
// instantiates none, so that is what a request to stop becomes there; the error itself is not reported.
#include "core/frontend/clang/stopping.h"

#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Sema/TemplateInstCallback.h"

namespace lathe::detail {
namespace {

/// Raises a fatal error, once.
class Breaker {
 public:
  Breaker(clang::DiagnosticsEngine& diagnostics, std::stop_token stop)
      : diagnostics_(diagnostics), stop_(std::move(stop)) {}
  bool stopped() {
    if (!stop_.stop_requested()) return false;
    if (!std::exchange(raised_, true))
      diagnostics_.Report(diagnostics_.getCustomDiagID(clang::DiagnosticsEngine::Fatal, "the compile was cancelled"));
    return true;
  }

 private:
  clang::DiagnosticsEngine& diagnostics_;
  std::stop_token stop_;
  bool raised_ = false;
};

class StopsTemplates final : public clang::TemplateInstantiationCallback {
 public:
  explicit StopsTemplates(Breaker& breaker) : breaker_(breaker) {}
  void initialize(const clang::Sema&) override {}
  void finalize(const clang::Sema&) override {}
  void atTemplateBegin(const clang::Sema&, const clang::Sema::CodeSynthesisContext&) override {
    (void)breaker_.stopped();
  }
  void atTemplateEnd(const clang::Sema&, const clang::Sema::CodeSynthesisContext&) override {}

 private:
  Breaker& breaker_;
};

class StoppingConsumer final : public clang::SemaConsumer {
 public:
  StoppingConsumer(clang::DiagnosticsEngine& diagnostics, std::stop_token stop)
      : breaker_(diagnostics, std::move(stop)) {}
  void InitializeSema(clang::Sema& sema) override {
    sema.TemplateInstCallbacks.push_back(std::make_unique<StopsTemplates>(breaker_));
  }
  bool HandleTopLevelDecl(clang::DeclGroupRef) override { return !breaker_.stopped(); }
  void HandleTranslationUnit(clang::ASTContext&) override { (void)breaker_.stopped(); }

 private:
  Breaker breaker_;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> stoppingConsumer(clang::CompilerInstance& compiler, std::stop_token stop) {
  return std::make_unique<StoppingConsumer>(compiler.getDiagnostics(), std::move(stop));
}

}  // namespace lathe::detail
