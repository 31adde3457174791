// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that define functions of CUDA's themselves, as in `__device__ inline int __float_as_int(float x)`. CUDA's
// compiler only declares these functions, takes a program's definition, and calls its own all the same; Lathe's headers
// define them, which makes the program's a second definition to Clang.
#pragma once

#include "clang/AST/ASTConsumer.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace clang {
class CompilerInstance;
class Decl;
class Diagnostic;
}  // namespace clang

namespace lathe::dialects {

/// Makes declarations of such definitions.
class OwnBuiltins final : public clang::ASTConsumer {
 public:
  explicit OwnBuiltins(clang::CompilerInstance& compiler) : compiler_(compiler) {}

  /// True for the complaint that a function of Lathe's CUDA headers is defined once more; false for all others.
  bool takes(const clang::Diagnostic& info);
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

 private:
  clang::CompilerInstance& compiler_;
  llvm::SmallPtrSet<const clang::Decl*, 4> defined_;  ///< definitions that Clang holds to be wrong
};

}  // namespace lathe::dialects
