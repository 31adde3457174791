// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources with two sides: code for the host stands beside the kernels, is parsed because it says which templates are
// needed, and is never emitted. What is wrong in it must not stop the kernels. So while Clang parses, errors in bodies
// of host-only functions are put aside, headers that nobody has become empty, and Clang goes on as if nothing had
// happened; at the end a walk over all device code makes sure that it uses nothing that was broken. One parse serves
// all of this, and a source without host code pays nothing.
// The same is done with errors in the bodies of templates, which CUDA's compiler does not read before it makes an
// instance: headers hold functions that have not compiled for years and that nobody calls. So are functions whose
// inline assembly is another processor's, of which a target may have no use, and inline or static ones that call what
// only the host has.
#pragma once

#include <string>
#include <vector>

#include "clang/Basic/Diagnostic.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <lathe/result.h>
#include <lathe/sdk/dialect.h>

#include "dialects/cuda/inline_assembly.h"

namespace clang {
class CompilerInstance;
class FunctionDecl;
class SourceManager;
class VarDecl;
}  // namespace clang

namespace lathe::dialects {

/// Where an error happened, as far as the rest of the program is concerned.
enum class ErrorPlace {
  device,     ///< device code, or what both sides read: it counts
  hostBody,   ///< the body of a function that only the host runs
  pattern,    ///< the body of a template, inline assembly, or a call: it counts if a kernel uses the function or an
              ///< instance
  fileScope,  ///< a declaration outside of functions: it counts if device code needs it
};

/// Receives the AST before code generation does. Lives as long as one compile.
class HostCode final : public clang::SemaConsumer {
 public:
  explicit HostCode(clang::CompilerInstance& compiler);

  /// Called for each error and warning, while Clang is where it happened.
  ErrorPlace place(const clang::Diagnostic& info);
  /// An error put aside; `place` said where it was.
  void putAside(Diagnostic error, ErrorPlace place);
  /// The one that notes belong to.
  Diagnostic& lastPutAside() { return last_ == ErrorPlace::pattern ? inPatterns_.back() : aside_.back(); }

  /// If an error counts: headers that were not found, its likeliest cause.
  std::vector<Diagnostic> takeMissing();
  /// If an error counts: what device code was found to need, and then everything put aside, which may be the cause.
  std::vector<Diagnostic> takeErrors();
  /// What the caller should know of a compile that succeeded.
  std::vector<Diagnostic> takeRemarks();

  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleTranslationUnit(clang::ASTContext& ast) override;

  /// A header that was not found, and where it was asked for.
  void noteMissing(std::string name, SourceLocation from);

 private:
  void note(const clang::Decl& declaration);
  void moveToDevice(const clang::VarDecl& variable);
  void goOn();
  void examine(const clang::FunctionDecl& function);
  void stop();

  clang::CompilerInstance& compiler_;
  clang::Sema* sema_ = nullptr;
  bool counted_ = false;  ///< an error that counts has happened: Clang must stop
  bool failed_ = false;
  bool hostSeen_ = false;  ///< the source has host code
  std::vector<Diagnostic> aside_;
  std::vector<Diagnostic> inPatterns_;    ///< errors that count if a kernel uses the function
  ErrorPlace last_ = ErrorPlace::device;  ///< the list that the error put aside last went to
  std::size_t atFileScope_ = 0;
  std::vector<Diagnostic> missing_;
  llvm::SmallPtrSet<const clang::Decl*, 8> broken_;
  llvm::SmallPtrSet<const clang::Decl*, 8> partial_;  ///< functions that lack a statement, or a call
  std::vector<clang::FunctionDecl*> unresolved_;
  std::vector<const clang::FunctionDecl*> deviceFunctions_;
  std::vector<Diagnostic> diagnostics_;
};

/// Whether the declaration that `at` stands in says that it is for the device, as far as the text before it tells.
[[nodiscard]] bool inDeviceDeclaration(const clang::SourceManager& sources, clang::SourceLocation at);

/// Makes the hooks of one parse (sdk::Dialect::createHooks).
sdk::DialectHooks* createHostCodeHooks();
/// What a dialect on top of CUDA's has of its own.
struct LanguageOnCuda {
  ForeignAssembly assembly;
  const char* impliedHeaders;  ///< the macro with which its headers bring what the toolkit's bring along; null: always
};
sdk::DialectHooks* createHostCodeHooks(const LanguageOnCuda& language);

}  // namespace lathe::dialects
