// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's diagnostics as Lathe's values, in Clang's order, with carets.
#pragma once

#include <string>
#include <vector>

#include "clang/Basic/Diagnostic.h"

#include <lathe/result.h>
#include <lathe/sdk/dialect.h>

namespace lathe::detail {

/// Line i of the pseudo file that name expressions are parsed from is entry i - 1 of the job.
using sdk::nameExpressionFile;

class ErroneousBodies;

class DiagnosticCollector final : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

  /// Diagnostics that the dialect's hooks take go there instead.
  void setHooks(sdk::DialectHooks* hooks) { hooks_ = hooks; }

  /// Errors that it takes are dropped.
  void setErroneousFunctions(ErroneousBodies* erroneousFunctions) { erroneous_ = erroneousFunctions; }

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  std::vector<Diagnostic> take() { return std::move(diagnostics_); }

 private:
  enum class Last { kept, taken, dropped };

  std::vector<Diagnostic> diagnostics_;
  sdk::DialectHooks* hooks_ = nullptr;
  ErroneousBodies* erroneous_ = nullptr;
  Last last_ = Last::kept;  ///< what became of the diagnostic that notes belong to
};

}  // namespace lathe::detail
