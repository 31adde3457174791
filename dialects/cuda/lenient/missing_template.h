// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of member templates without the keyword `template`. In `Cast<To, From>::convert<4>(x)`, where the class depends
// on parameters of a template, C++ takes the angle brackets for comparisons; CUDA's compiler reads templates when it
// knows their arguments, and libraries that it alone compiles leave the keyword out.
//
//   Cast<To, From>::convert<4>(x, y)   is read as   Cast<To, From>::template convert<4>(x, y)
//   tile.offset<4>(x)                  is read as   tile.template offset<4>(x)
//
// So are types without the keyword `typename` among the arguments of a function template:
//
//   convert<Traits<T>::type>(x)        is read as   convert<typename Traits<T>::type>(x)
#pragma once

#include <memory>

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"

namespace lathe::dialects {

/// Makes what replaces such comparisons in what a template's text became, before anything is made of it.
[[nodiscard]] std::unique_ptr<clang::ASTConsumer> readMissingTemplates();

/// Whether an error is about a dependent name before `<` where only a template makes sense, as in
/// `typename T::rebind<U>`: Clang takes it for one, and the error is all that is wrong. CUDA's compiler, and C++23,
/// need no `template` behind `typename`.
[[nodiscard]] bool isMissingTemplate(const clang::Diagnostic& info);

/// Whether an error is about `sizeof(T::type)` or `alignof(T::type)` in an instance of a template, where CUDA's
/// compiler needs no `typename`: Clang goes on with the type, and the error is all that is wrong.
[[nodiscard]] bool isTypeToMeasure(const clang::Diagnostic& info);

}  // namespace lathe::dialects
