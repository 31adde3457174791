// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One error out of several diagnostics.
#include "core/support/diagnostics.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

namespace lathe::detail {

Error combined(std::vector<Diagnostic> diagnostics, std::string stage, std::string target) {
  const auto first = std::ranges::find(diagnostics, Severity::error, &Diagnostic::severity);
  assert(first != diagnostics.end());
  Error out{.code = first->code,
            .message = first->message,
            .notes = first->notes,
            .hint = first->hint,
            .stage = std::move(stage),
            .target = std::move(target),
            .location = first->location};
  const auto more = std::ranges::count(diagnostics, Severity::error, &Diagnostic::severity) - 1;
  if (more > 0) out.message += " (and " + std::to_string(more) + (more > 1 ? " more errors)" : " more error)");
  out.diagnostics = std::move(diagnostics);
  return out;
}

void sortFindings(std::vector<Diagnostic>& findings) {
  std::vector<std::size_t> order(findings.size());
  std::ranges::generate(order, [next = std::size_t{0}]() mutable { return next++; });
  std::ranges::sort(order, {}, [&](std::size_t i) {
    const SourceLocation& at = findings[i].location;
    return std::tuple(at.file.empty(), std::string_view(at.file), at.line, at.column, i);
  });
  // A loop that was unrolled has the same call several times; one finding says it.
  std::set<std::tuple<ErrorCode, std::string, std::string, std::uint32_t, std::uint32_t>> said;
  std::vector<Diagnostic> out;
  for (const std::size_t i : order) {
    const SourceLocation& at = findings[i].location;
    if (said.emplace(findings[i].code, findings[i].message, at.file, at.line, at.column).second)
      out.push_back(findings[i]);
  }
  findings = std::move(out);
}

Error withDiagnostics(Error last, std::vector<Diagnostic> before) {
  if (before.empty()) return last;
  if (last.diagnostics.empty()) {
    before.push_back({.code = last.code,
                      .message = std::move(last.message),
                      .location = std::move(last.location),
                      .notes = std::move(last.notes),
                      .hint = std::move(last.hint)});
  } else {
    std::ranges::move(last.diagnostics, std::back_inserter(before));
  }
  return combined(std::move(before), std::move(last.stage), std::move(last.target));
}

Error withDumps(Error error, std::vector<StageDump> dumps) {
  error.dumps = std::move(dumps);
  return error;
}

}  // namespace lathe::detail
