// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asm statements for AMD's GPUs on their way from Clang's tree to LLVM's assembler for these GPUs.
#pragma once

#include <optional>

#include <lathe/sdk/dialect.h>

namespace clang {
class Diagnostic;
class GCCAsmStmt;
class Sema;
}  // namespace clang
namespace llvm {
class CallInst;
class Module;
}  // namespace llvm

namespace lathe::dialects::amd {

/// Whether Clang complains of an operand or a register that AMD's GPUs have.
[[nodiscard]] bool isAboutStatement(const clang::Diagnostic& info);
/// The same for a complaint that Clang has put off, of which no more than the kind is known.
[[nodiscard]] bool mayBeAboutStatement(unsigned diagnostic);

/// Makes `statement` one that Clang's code generation takes, if it has operands or clobbers of AMD's, and tells Clang
/// of what is wrong in it otherwise.
void mendStatement(clang::Sema& sema, clang::GCCAsmStmt& statement);

/// Gives the asm statements for AMD's GPUs the constraints that were written, and marks them.
void markStatements(llvm::Module& module);

/// Dialect::replaceAssembly of HIP: what is a comment only has no effect elsewhere; all else is refused.
std::optional<sdk::AssemblyRefusal> replaceStatement(llvm::CallInst& statement);

}  // namespace lathe::dialects::amd
