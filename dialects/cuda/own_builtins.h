// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that define functions of CUDA's themselves, as in `__device__ inline int __float_as_int(float x)`. CUDA's
// compiler only declares these functions, takes a program's definition, and calls its own all the same; Lathe's headers
// define them, which makes the program's a second definition to Clang. So it is with declarations for the host of what
// is for both sides here, as PyTorch has one of __assert_fail.
#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclarationName.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class CompilerInstance;
class Decl;
class Diagnostic;
}  // namespace clang

namespace lathe::dialects {

/// Makes declarations of such definitions, and lets such declarations stand.
class OwnBuiltins final : public clang::ASTConsumer {
 public:
  explicit OwnBuiltins(clang::CompilerInstance& compiler) : compiler_(compiler) {}

  /// True for the complaint that a function of Lathe's headers is defined or declared once more; false for all others.
  bool takes(const clang::Diagnostic& info);
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

 private:
  void mend(clang::Decl& declaration);

  clang::CompilerInstance& compiler_;
  llvm::DenseSet<clang::DeclarationName> names_;  ///< of declarations that Clang holds to be wrong
};

}  // namespace lathe::dialects
