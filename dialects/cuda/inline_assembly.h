// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names with a single percent sign in inline assembly. CUDA compilers take `%` before a letter for itself, so that
// programs write `mov.u32 %0, %laneid;` for `mov.u32 %0, %%laneid;`, which Clang asks for. Clang makes the statement
// all the same; here it gets the text that was meant, before code generation reads it.
#pragma once

#include <vector>

#include "clang/Basic/Diagnostic.h"
#include "clang/Sema/SemaConsumer.h"

namespace clang {
class GCCAsmStmt;
}

namespace lathe::dialects {

/// Statements for processors that the triple of the parse is not for, of a dialect that knows them.
struct ForeignAssembly {
  /// Whether an error is about an operand that these processors have.
  bool (*takes)(const clang::Diagnostic& info);
  /// The same of an error that Clang has put off, by its kind alone.
  bool (*mayTake)(unsigned diagnostic);
  /// Makes of a statement of theirs one that Clang's code generation takes. Tells Clang of what is wrong in it.
  void (*mend)(clang::Sema& sema, clang::GCCAsmStmt& statement);
};

/// Mends the statements of which Clang complains. Lives as long as one compile.
class InlineAssembly final : public clang::SemaConsumer {
 public:
  /// \p foreign may be null.
  explicit InlineAssembly(const ForeignAssembly* foreign) : foreign_(foreign) {}

  /// Called for each error, while Clang is where it happened. True if it is about such a name or a foreign operand, or
  /// if Clang will say it again of each instance of the template that it is in.
  bool takes(const clang::Diagnostic& info);
  /// True while an error is reported that counts: a text that stayed wrong.
  bool reports() const { return reports_; }

  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl* function) override;
  void HandleTranslationUnit(clang::ASTContext& ast) override;

 private:
  [[nodiscard]] bool mayTake(unsigned diagnostic) const;
  void takeDeferred();
  void mend();

  const ForeignAssembly* foreign_;
  clang::Sema* sema_ = nullptr;
  bool reports_ = false;
  std::vector<clang::FunctionDecl*> functions_;  ///< with such statements, not mended yet
};

}  // namespace lathe::dialects
