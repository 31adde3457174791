// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's diagnostics as Lathe's values, in Clang's order, with carets.
#pragma once

#include <string>
#include <vector>

#include "clang/Basic/Diagnostic.h"

#include <lathe/result.h>

namespace lathe::detail {

/// The pseudo file that name expressions are parsed from; line i is entry i - 1 of the job.
inline constexpr const char* nameExpressionFile = "<kernel name>";

class HostCode;
class ErroneousBodies;

class DiagnosticCollector final : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

  /// Errors in code for the host only go there instead.
  void setHostCode(HostCode* host) { host_ = host; }

  /// Errors that it takes are dropped.
  void setErroneousFunctions(ErroneousBodies* erroneousFunctions) { erroneous_ = erroneousFunctions; }

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  std::vector<Diagnostic> take() { return std::move(diagnostics_); }

 private:
  enum class Last { kept, putAside, dropped };

  std::vector<Diagnostic> diagnostics_;
  HostCode* host_ = nullptr;
  ErroneousBodies* erroneous_ = nullptr;
  Last last_ = Last::kept;  ///< what became of the diagnostic that notes belong to
};

}  // namespace lathe::detail
