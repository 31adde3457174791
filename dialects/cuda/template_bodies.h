// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies of functions of templates, which CUDA's compiler reads otherwise than C++ has it: what they became is mended
// before anything is made of them.
#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class ASTContext;
}

namespace lathe::dialects {

/// A walk over such bodies, by the functions Visit… of a class that is derived from it. Sees the tree before code
/// generation does.
class TemplateBodies : public clang::ASTConsumer, protected clang::DynamicRecursiveASTVisitor {
 public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) final;

 protected:
  /// Whether the text of a file may have what is looked for: few have, and what is in the others need not be looked at.
  [[nodiscard]] virtual bool mayConcern(llvm::StringRef text) const = 0;
  /// Of what is walked over.
  [[nodiscard]] clang::ASTContext& ast() const { return *ast_; }

 private:
  bool TraverseDecl(clang::Decl* declaration) final;
  bool isWorthReading(clang::SourceLocation at);

  clang::ASTContext* ast_ = nullptr;
  llvm::DenseMap<clang::FileID, bool> files_;
};

}  // namespace lathe::dialects
