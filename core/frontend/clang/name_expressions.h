// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Name expressions: `saxpy<float>` or `ns::blur` written by the host program select, and if need be instantiate, a
// kernel. They are parsed by Clang itself: each becomes one odr-use in a function appended to the source, and the AST
// tells which function it named. The appended text has a file name of its own, so that what is wrong in it can be told
// from what is wrong in the source.
#pragma once

#include <string>
#include <vector>

#include "clang/AST/ASTConsumer.h"

#include <lathe/result.h>

#include "core/frontend/clang/library_layout.h"
#include "core/frontend/dialect.h"
#include "core/frontend/frontend.h"

namespace clang {
class CodeGenerator;
}
namespace llvm {
class Function;
}

namespace lathe::detail {

/// Text to append to the source; empty if there are no entries.
std::string nameExpressionText(const std::vector<std::string>& entries);

/// Watches the AST beside code generation: finds what the expressions name, describes every kernel.
class KernelCollector final : public clang::ASTConsumer {
 public:
  /// `native`: kernels have the form of some platform, from which they are brought into the neutral one. `toolkit` is
  /// complete when the source has been read. All outlive it.
  KernelCollector(clang::CodeGenerator& generator, const Dialect& dialect, const ToolkitNames& toolkit,
                  const std::vector<std::string>& entries, bool native)
      : generator_(generator), dialect_(dialect), toolkit_(toolkit), expressions_(entries), native_(native) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleTranslationUnit(clang::ASTContext& ast) override;

  /// Names a user could have meant, as far as parsing came.
  const std::vector<std::string>& kernelNames() const { return kernelNames_; }
  std::vector<NamedEntry> takeEntries() { return std::move(entries_); }
  /// What is wrong with kernels and names although Clang accepts the source.
  std::vector<Diagnostic> takeDiagnostics() { return std::move(diagnostics_); }
  /// Of those, where a function that Clang accepts has something no device has.
  std::vector<ErroneousFunction> takeMarked() { return std::move(marked_); }

 private:
  void noteKernels(const clang::Decl& declaration);
  void addName(std::string name);
  void checkValues(const clang::FunctionDecl& declaration, llvm::Function& function, const clang::ASTContext& ast);
  void checkLayouts(const clang::FunctionDecl& kernel, const clang::ASTContext& ast);
  void describe(const clang::FunctionDecl& declaration, llvm::Function& function, const clang::ASTContext& ast);
  void resolveExpressions(const clang::FunctionDecl& holder, const clang::ASTContext& ast);

  clang::CodeGenerator& generator_;
  const Dialect& dialect_;
  const ToolkitNames& toolkit_;
  const std::vector<std::string>& expressions_;
  bool native_;
  const clang::FunctionDecl* holder_ = nullptr;
  std::vector<std::string> kernelNames_;
  std::vector<NamedEntry> entries_;
  std::vector<Diagnostic> diagnostics_;
  std::vector<ErroneousFunction> marked_;
};

}  // namespace lathe::detail
