// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static members that constant expressions name through `this`. CUDA's compiler, like GCC, does not evaluate an object
// of which only a static member is asked; Clang does, and `this` has no value there.
//
//   template <class Map> struct Iterator {
//     Predicate<Map> guard_;
//     __device__ void load() { if constexpr (guard_.isActive) … }
//   };
//
// is read as `if constexpr ((&lathe::detail::anyObject<Iterator>)->guard_.isActive)`.
#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class SourceManager;
class VarTemplateDecl;
}  // namespace clang

namespace lathe::dialects {

/// Replaces `this` in conditions of `if constexpr` and in values of constexpr variables of templates, before anything
/// is made of these. It could not have been evaluated there.
class ConstantMembers final : public clang::ASTConsumer {
 public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

 private:
  /// True if a file has such text: what is in others need not be looked at.
  bool mayNameMembers(const clang::SourceManager& sources, clang::SourceLocation at);

  llvm::DenseMap<clang::FileID, bool> files_;
  clang::VarTemplateDecl* anyObject_ = nullptr;  ///< looked up when it is first needed
};

}  // namespace lathe::dialects
