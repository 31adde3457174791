// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The description of a kernel that travels with its IR: names and C++ types of the parameters, as JSON in the
// function's "lathe.entry" metadata, so that a dumped or shipped module can be read by people and by other tools.
#pragma once

#include <lathe/image.h>

namespace clang {
class ASTContext;
class FunctionDecl;
}  // namespace clang
namespace llvm {
class Function;
}

namespace lathe::detail {

inline constexpr const char* entryMetadata = "lathe.entry";

/// Describes `kernel`'s parameters as C++ sees them. Offsets are left 0: they are the lowering's to fill in.
EntryPoint describeKernel(const clang::FunctionDecl& kernel, const clang::ASTContext& ast);

/// What `function` returns; size 0 for void.
TypeLayout describeResult(const clang::FunctionDecl& function, const clang::ASTContext& ast);

/// `result`: of functions that are no kernels; may be null.
void attachEntry(llvm::Function& function, const EntryPoint& entry, const TypeLayout* result = nullptr);
/// What attachEntry() attached; for a function without it, a description made of its IR types. `native`: the function
/// has the platform's form, in which one parameter may be any number of arguments.
EntryPoint entryOf(const llvm::Function& function, bool native = false);
/// The result that was attached, or a description of the IR type.
TypeLayout resultOf(const llvm::Function& function);

}  // namespace lathe::detail
