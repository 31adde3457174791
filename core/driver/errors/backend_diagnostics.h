// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM's back ends say through the context instead of returning it.
#pragma once

#include <utility>
#include <vector>

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/raw_ostream.h"

#include <lathe/compiler.h>

#include "core/support/llvm_bridge.h"

namespace lathe::detail {

/// Puts them where the compile's diagnostics are. The lists outlive it.
class BackendDiagnostics final : public llvm::DiagnosticHandler {
 public:
  BackendDiagnostics(std::vector<Diagnostic>& errors, std::vector<Diagnostic>& warnings)
      : errors_(errors), warnings_(warnings) {}

  /// What a back end cannot do with a function: the parts that LLVM's own text strings together.
  static bool splitUnsupported(const llvm::DiagnosticInfo& info, Diagnostic& out) {
    const auto* const unsupported = llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(&info);
    if (!unsupported) return false;
    out.message = "'" + demangled(unsupported->getFunction().getName()) + "': " + unsupported->getMessage().str();
    if (unsupported->isLocationAvailable()) {
      const llvm::DiagnosticLocation at = unsupported->getLocation();
      out.location = {at.getRelativePath().str(), at.getLine(), at.getColumn()};
    }
    return true;
  }

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error && info.getSeverity() != llvm::DS_Warning) return true;
    // A loop that stays rolled in spite of its pragma: without debug information LLVM cannot say which.
    const auto* const kept = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationFailure>(&info);
    if (kept && !kept->isLocationAvailable()) return true;
    const bool isError = info.getSeverity() == llvm::DS_Error;
    Diagnostic diagnostic{.severity = isError ? Severity::error : Severity::warning,
                          .code = ErrorCode::Unsupported,
                          .message = {},
                          .location = {},
                          .snippet = {},
                          .notes = {},
                          .hint = {}};
    if (!splitUnsupported(info, diagnostic)) {
      llvm::raw_string_ostream stream(diagnostic.message);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    // Passes say the same of each access in a line.
    std::vector<Diagnostic>& list = isError ? errors_ : warnings_;
    const auto isSaid = [&](const Diagnostic& said) {
      return said.message == diagnostic.message && said.location == diagnostic.location;
    };
    if (!llvm::any_of(list, isSaid)) list.push_back(std::move(diagnostic));
    return true;
  }
  /// Remarks of passes nobody asked about are not even built.
  bool isAnyRemarkEnabled() const override { return false; }

 private:
  std::vector<Diagnostic>& errors_;
  std::vector<Diagnostic>& warnings_;
};

}  // namespace lathe::detail
