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
// is read as `if constexpr ((&lathe::detail::anyObject<Iterator>)->guard_.isActive)`. Elsewhere the object is a
// reference or what a pointer points to, and the member alone is what is evaluated:
//
//   const Model& model = parameters.model;
//   constexpr float scale = 1.0f / model.pixels;                        is read as 1.0f / Model::pixels
#pragma once

#include <memory>

#include "clang/AST/ASTConsumer.h"

namespace clang {
class Diagnostic;
}

namespace lathe::dialects {

/// Makes what replaces `this` in conditions of `if constexpr` and in values of constexpr variables of templates, before
/// anything is made of these. It could not have been evaluated there.
[[nodiscard]] std::unique_ptr<clang::ASTConsumer> readConstantMembers();

/// Whether `info` says that a constexpr variable has no constant value, and it has one where objects of static members
/// are not evaluated. Then the variable's initialiser names these members without them.
[[nodiscard]] bool isConstantOfMembers(const clang::Diagnostic& info);

}  // namespace lathe::dialects
