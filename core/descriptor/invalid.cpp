// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults of a descriptor as one error.
#include "core/descriptor/invalid.h"

#include <algorithm>

#include "core/support/diagnostics.h"

namespace lathe::detail {
namespace {

/// The line of a fault, and a caret under its column.
std::string snippetOf(std::string_view text, YamlPosition at) {
  for (std::uint32_t line = 1; line < at.line; ++line) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  const auto line = text.substr(0, text.find('\n'));
  if (line.empty()) return "";
  return std::string(line) + "\n" + std::string(at.column - 1, ' ') + "^\n";
}

}  // namespace

Error invalidDescriptor(std::vector<YamlDiagnostic> faults, std::string_view text, const std::string& origin) {
  std::ranges::stable_sort(faults, {}, &YamlDiagnostic::at);
  std::vector<Diagnostic> diagnostics;
  for (YamlDiagnostic& fault : faults) {
    diagnostics.push_back({.code = ErrorCode::DescriptorInvalid,
                           .message = std::move(fault.message),
                           .location = {origin, fault.at.line, fault.at.column},
                           .snippet = snippetOf(text, fault.at),
                           .notes = {},
                           .hint = std::move(fault.hint)});
  }
  Error error = combined(std::move(diagnostics), /*stage=*/{});
  error.message = "descriptor: " + error.message;
  return error;
}

}  // namespace lathe::detail
