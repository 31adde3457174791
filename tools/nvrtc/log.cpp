// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/nvrtc/log.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace lathe::nvrtc {
namespace {

std::string placeOf(const SourceLocation& location) {
  if (location.file.empty()) return {};
  return location.line == 0 ? location.file + ": " : fmt::format("{}({}): ", location.file, location.line);
}

/// The header that a message says is missing, in the words by which programs look for it.
std::string missingHeader(const std::string& message) {
  const std::size_t from = message.find('\''), to = message.find('\'', from + 1);
  if (from == std::string::npos || to == std::string::npos) return "catastrophic error: " + message;
  return "catastrophic error: cannot open source file \"" + message.substr(from + 1, to - from - 1) + "\"";
}

std::string textOf(const Diagnostic& one) {
  const std::string what = one.code == ErrorCode::HeaderNotFound
                               ? missingHeader(one.message)
                               : fmt::format("{}: {}", severityName(one.severity), one.message);
  std::string out = placeOf(one.location) + what + '\n';
  if (!one.snippet.empty()) out += one.snippet + (one.snippet.ends_with('\n') ? "" : "\n");
  for (const Note& note : one.notes) out += fmt::format("{}note: {}\n", placeOf(note.location), note.message);
  if (!one.hint.empty()) out += fmt::format("hint: {}\n", one.hint);
  return out + '\n';
}

}  // namespace

std::string logOf(std::span<const Diagnostic> diagnostics) {
  std::string out;
  for (const Diagnostic& one : diagnostics) out += textOf(one);
  return out;
}

std::string logOf(const Error& error, const std::string& program) {
  std::vector<Diagnostic> all = error.diagnostics;
  if (all.empty()) {
    all.push_back({.severity = Severity::error,
                   .code = error.code,
                   .message = error.message,
                   .location = error.location,
                   .snippet = {},
                   .notes = error.notes,
                   .hint = error.hint});
  }
  const auto errors = std::ranges::count(all, Severity::error, &Diagnostic::severity);
  return logOf(all) +
         fmt::format("{} error{} detected in the compilation of \"{}\".\n", errors, errors == 1 ? "" : "s", program);
}

}  // namespace lathe::nvrtc
