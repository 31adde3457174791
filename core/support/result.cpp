// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of error codes, and errors as text. The form is that of compilers: "file:line:column: error: message", the
// source line with its caret, then notes and a hint, so that editors and people find their way.
#include <lathe/result.h>

#include <array>

#include <fmt/format.h>

#include "core/support/nearest.h"

namespace lathe {
namespace {

struct CodeFacts {
  ErrorCode code;
  std::string_view name;
  ErrorFamily family;
  std::string_view meaning;
};

constexpr std::array codeFacts = {
#define LATHE_ERROR(enumerator, value, name, family, meaning) \
  CodeFacts{ErrorCode::enumerator, name, ErrorFamily::family, meaning},
#include <lathe/error_codes.def>
};

/// The facts of `code`; of a value that is none (a cast number), those of Internal.
constexpr const CodeFacts& factsOf(ErrorCode code) noexcept {
  const CodeFacts* internal = nullptr;
  for (const CodeFacts& facts : codeFacts) {
    if (facts.code == code) return facts;
    if (facts.code == ErrorCode::Internal) internal = &facts;
  }
  return *internal;
}

std::string prefixOf(const SourceLocation& location) {
  if (location.file.empty()) return {};
  if (location.line == 0) return location.file + ": ";
  if (location.column == 0) return fmt::format("{}:{}: ", location.file, location.line);
  return fmt::format("{}:{}:{}: ", location.file, location.line, location.column);
}

void append(std::string& out, std::string_view label, const SourceLocation& location, std::string_view message,
            std::string_view snippet) {
  out += prefixOf(location);
  out += label;
  out += ": ";
  out += message;
  if (out.back() != '\n') out += '\n';
  out += snippet;
  if (out.back() != '\n') out += '\n';
}

void append(std::string& out, const std::vector<Note>& notes) {
  for (const Note& note : notes) append(out, "note", note.location, note.message, note.snippet);
}

void appendHint(std::string& out, std::string_view hint) {
  if (!hint.empty()) append(out, "hint", {}, hint, {});
}

}  // namespace

std::string_view errorName(ErrorCode code) noexcept {
  return factsOf(code).name;
}
ErrorFamily errorFamily(ErrorCode code) noexcept {
  return factsOf(code).family;
}
std::string_view errorMeaning(ErrorCode code) noexcept {
  return factsOf(code).meaning;
}
std::optional<ErrorCode> errorCodeNamed(std::string_view name) noexcept {
  for (const CodeFacts& facts : codeFacts) {
    if (facts.name == name) return facts.code;
  }
  return std::nullopt;
}
std::vector<ErrorCode> errorCodes() {
  std::vector<ErrorCode> out;
  for (const CodeFacts& facts : codeFacts) out.push_back(facts.code);
  return out;
}

std::string_view severityName(Severity severity) noexcept {
  switch (severity) {
    case Severity::remark:
      return "remark";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "error";
}

std::string_view familyName(ErrorFamily family) noexcept {
  switch (family) {
    case ErrorFamily::caller:
      return "caller";
    case ErrorFamily::environment:
      return "environment";
    case ErrorFamily::internal:
      return "internal";
  }
  return "internal";
}

std::string render(const Diagnostic& diagnostic) {
  std::string out;
  append(out, severityName(diagnostic.severity), diagnostic.location, diagnostic.message, diagnostic.snippet);
  append(out, diagnostic.notes);
  appendHint(out, diagnostic.hint);
  return out;
}

std::string didYouMean(std::string_view name, const std::vector<std::string>& known) {
  return detail::didYouMean(name, known);
}

std::string Error::render() const {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += lathe::render(diagnostic);
  if (!diagnostics.empty()) return out;  // the error repeats the first of them
  append(out, "error", location, message, {});
  append(out, notes);
  appendHint(out, hint);
  return out;
}

}  // namespace lathe
