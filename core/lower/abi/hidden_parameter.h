// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hidden parameters: values that entry points get behind the source's parameters and hand down to the functions that
// ask for them.
//
//   before: define void @k(ptr %x) "lathe.kernel" { call void @f() }
//           define internal void @f() { call ptr @query() }
//   after:  define void @k(ptr %x, ptr byval(%T) align 8 %value) "lathe.kernel" { call void @f(ptr %value) }
//           define internal void @f(ptr %value)
//
// GPUCompiler.jl threads its kernel state in the same way.
#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Attributes.h"

#include "core/lower/calls.h"

namespace lathe::detail {

struct Lowering;

/// The group's extents (stages/group_shape.cpp) in an entry's description: its groups are launched as one row.
inline constexpr const char* groupShapeName = "group_shape";

struct HiddenParameter {
  llvm::StringRef name;      ///< of the arguments in IR
  llvm::StringRef what;      ///< the value, for errors: "the kernel's state"
  llvm::StringRef uses;      ///< what a function does that asks for it, for errors: "prints, asserts or traps"
  llvm::StringRef hint;      ///< of the error for functions that it does not reach
  llvm::Type* type;          ///< in functions that are called
  llvm::Type* entryType;     ///< in entry points
  llvm::AttributeSet facts;  ///< of the parameter in functions that are called
  llvm::AttributeSet entryFacts;
  /// Entry points that get the parameter; null: all that use it. The others hand down zero.
  const FunctionSet* receivers = nullptr;
};

using HiddenArguments = llvm::MapVector<llvm::Function*, llvm::Argument*>;

/// Gives the functions of `users`, and those that call them, directly or not, the parameter as their last. The
/// functions are replaced; the result names the new ones with their argument. Fails, and changes nothing, if one that
/// is no entry point is called through a pointer.
llvm::Expected<HiddenArguments> addHiddenParameter(Lowering& lowering, const HiddenParameter& parameter,
                                                   FunctionSet users);

/// The functions of the module's entry points.
[[nodiscard]] FunctionSet entryFunctions(Lowering& lowering);

/// Puts the argument of the function that each call of `query` is in in that call's place, and removes `query`.
void replaceQuery(llvm::Function& query, const HiddenArguments& arguments);

}  // namespace lathe::detail
