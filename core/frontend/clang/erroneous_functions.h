// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second look at a source that did not compile. What is wrong inside of functions is known already; those functions
// become declarations, so that the rest goes through the lowering and one report holds what is wrong there too. Calls
// of these declarations tell which kernels come to each error.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "clang/Basic/Diagnostic.h"
#include "clang/Sema/SemaConsumer.h"

#include "core/frontend/frontend.h"

namespace clang {
class CodeGenerator;
class CompilerInstance;
class FunctionDecl;
}  // namespace clang

namespace lathe::detail {

/// Receives the AST before code generation does.
class ErroneousBodies final : public clang::SemaConsumer {
 public:
  /// `harmless`: numbers of errors of the dialect's that leave Clang's tree whole.
  ErroneousBodies(clang::CompilerInstance& compiler, clang::CodeGenerator& generator,
                  std::span<const unsigned> harmless)
      : compiler_(compiler), generator_(generator), harmless_(harmless) {}

  /// Called by the collector for each error that counts. True if the source makes sense without what it is about.
  bool take(const clang::Diagnostic& info, const SourceLocation& at);

  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl* function) override;
  void HandleTranslationUnit(clang::ASTContext& ast) override;

  /// The functions with errors, for which code was generated or that it calls.
  std::vector<ErroneousFunction> functions();

 private:
  struct Broken {
    clang::FunctionDecl* function;
    std::vector<SourceLocation> errors;
    bool whole;  ///< the body makes sense in spite of them
  };
  bool leavesTreeWhole(unsigned id) const;
  void leaveOut();
  const Broken* find(const clang::FunctionDecl* function) const;

  clang::CompilerInstance& compiler_;
  clang::CodeGenerator& generator_;
  std::span<const unsigned> harmless_;
  clang::Sema* sema_ = nullptr;
  std::vector<Broken> broken_;
};

}  // namespace lathe::detail
