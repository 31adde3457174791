// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM's back ends say through the context instead of returning it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <lathe/compiler.h>

#include "core/support/llvm_bridge.h"

namespace lathe::detail {

/// Puts them where the compile's diagnostics are. The lists and the module's place outlive it.
class BackendDiagnostics final : public llvm::DiagnosticHandler {
 public:
  BackendDiagnostics(const std::unique_ptr<llvm::Module>& module, std::vector<Diagnostic>& errors,
                     std::vector<Diagnostic>& warnings)
      : module_(module), errors_(errors), warnings_(warnings) {}

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

  /// What the processor's assembler says of an asm statement: LLVM knows the statement by a number alone.
  bool splitAssembly(const llvm::DiagnosticInfo& info, Diagnostic& out) const {
    if (const auto* const read = llvm::dyn_cast<llvm::DiagnosticInfoSrcMgr>(&info)) {
      if (!read->isInlineAsmDiag()) return false;
      const llvm::SMDiagnostic& said = read->getSMDiag();
      out.message = "inline assembly: " + said.getMessage().str();
      if (const llvm::StringRef line = said.getLineContents().trim(); !line.empty())
        out.message += ": '" + line.str() + "'";
      out.location = locationOfStatement(read->getLocCookie());
      return true;
    }
    const auto* const bound = llvm::dyn_cast<llvm::DiagnosticInfoInlineAsm>(&info);
    if (!bound) return false;
    const llvm::Instruction* const statement = bound->getInstruction();
    out.message = "inline assembly: " + bound->getMsgStr().str();
    out.location = statement ? locationOf(*statement) : locationOfStatement(bound->getLocCookie());
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
    if (!splitUnsupported(info, diagnostic) && !splitAssembly(info, diagnostic)) {
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
  SourceLocation locationOfStatement(std::uint64_t number) const {
    if (!module_) return {};
    const auto has = [&](const llvm::MDNode& numbers) {
      return llvm::any_of(numbers.operands(), [&](const llvm::MDOperand& one) {
        const auto* const known = llvm::mdconst::dyn_extract<llvm::ConstantInt>(one);
        return known && known->getZExtValue() == number;
      });
    };
    for (const llvm::Function& function : *module_) {
      for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        const llvm::MDNode* const numbers = instruction.getMetadata("srcloc");
        if (numbers && has(*numbers)) return locationOf(instruction);
      }
    }
    return {};
  }

  const std::unique_ptr<llvm::Module>& module_;
  std::vector<Diagnostic>& errors_;
  std::vector<Diagnostic>& warnings_;
};

}  // namespace lathe::detail
