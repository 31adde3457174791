// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#pragma nounroll`.
#include "dialects/cuda/preprocess/unknown_pragmas.h"

#include <memory>

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

namespace lathe::dialects {
namespace {

constexpr llvm::StringLiteral pragma = "nounroll";

class Warning final : public clang::PragmaHandler {
 public:
  Warning() : PragmaHandler(pragma) {}

  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer, clang::Token& name) override {
    clang::DiagnosticsEngine& engine = preprocessor.getDiagnostics();
    engine.Report(name.getLocation(),
                  engine.getCustomDiagID(clang::DiagnosticsEngine::Warning,
                                         "'#pragma nounroll' is none of CUDA's and is ignored; write '#pragma unroll 1'"));
  }
};

/// Puts the warning in the place of Clang's handler at the first pragma: Clang's parser, which adds its own, is made
/// after all callbacks, and owns what it added. It takes out by name what stands there in the end.
class ForgetUnknownPragmas final : public clang::PPCallbacks {
 public:
  explicit ForgetUnknownPragmas(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  void PragmaDirective(clang::SourceLocation, clang::PragmaIntroducerKind) override {
    if (isDone_) return;
    isDone_ = true;
    preprocessor_.RemovePragmaHandler(&warning_);
    preprocessor_.AddPragmaHandler(&warning_);
  }

 private:
  clang::Preprocessor& preprocessor_;
  Warning warning_;
  bool isDone_ = false;
};

}  // namespace

void forgetUnknownPragmas(clang::Preprocessor& preprocessor) {
  preprocessor.addPPCallbacks(std::make_unique<ForgetUnknownPragmas>(preprocessor));
}

}  // namespace lathe::dialects
