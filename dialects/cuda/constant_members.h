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

#include <memory>

#include "clang/AST/ASTConsumer.h"

namespace lathe::dialects {

/// Makes what replaces `this` in conditions of `if constexpr` and in values of constexpr variables of templates, before
/// anything is made of these. It could not have been evaluated there.
[[nodiscard]] std::unique_ptr<clang::ASTConsumer> readConstantMembers();

}  // namespace lathe::dialects
