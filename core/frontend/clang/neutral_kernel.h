// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of a source that was compiled for its target's own triple (frontend: native). Clang gives their parameters
// the platform's form: structures in registers, split, padded. The lowering core wants the neutral form of portable IR
// on every target.
#pragma once

#include <string>

#include <lathe/result.h>

namespace clang {
class ASTContext;
class CodeGenerator;
class FunctionDecl;
}  // namespace clang
namespace llvm {
class Function;
}

namespace lathe::detail {

/// The function that stands for `kernel`, whose definition is `function`: one argument for each parameter, aggregates
/// as `byval` pointers. It has the name and all uses of `function`; that is inlined into it later. Errors: Unsupported,
/// for the few forms of passing that cannot be rebuilt.
Result<llvm::Function*> neutralKernel(clang::CodeGenerator& generator, const clang::FunctionDecl& kernel,
                                      llvm::Function& function);

}  // namespace lathe::detail
