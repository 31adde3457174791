// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of host functions in functions for both sides. CUDA's compiler warns of them and takes it that no kernel gets
// there, as where a check fails that reports to the host's error handling. Here a kernel that does get there ends.
#pragma once

#include <cstddef>
#include <vector>

#include "clang/Basic/Diagnostic.h"
#include "clang/Sema/SemaConsumer.h"

#include <lathe/result.h>

namespace clang {
class CompilerInstance;
class FunctionDecl;
}  // namespace clang
namespace llvm {
class Module;
}

namespace lathe::dialects {

/// Finds such calls, and marks what they call for endAtHostCalls(). Sees the tree before code generation does.
class HostCalls final : public clang::SemaConsumer {
 public:
  explicit HostCalls(clang::CompilerInstance& compiler) : compiler_(compiler) {}

  /// Called for each token, while Clang is where it stands.
  void watch();
  /// True for an error that is such a call in code for a kernel; it is then given to keep(), its notes to keepNote().
  bool takes(const clang::Diagnostic& info);
  void keep(Diagnostic error) { found_.push_back(std::move(error)); }
  void keepNote(Note note) { found_.back().notes.push_back(std::move(note)); }
  /// One warning for all, or nothing.
  std::vector<Diagnostic> takeWarning();

  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

 private:
  clang::CompilerInstance& compiler_;
  clang::Sema* sema_ = nullptr;
  const clang::DeclContext* context_ = nullptr;  ///< that the token before stood in
  std::vector<clang::FunctionDecl*> begun_;      ///< made inline for now
  std::vector<Diagnostic> found_;
};

/// Puts a trap in the place of each call that was found; all that is behind it goes.
void endAtHostCalls(llvm::Module& module);

}  // namespace lathe::dialects
