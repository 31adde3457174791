// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text, colours, JSON and exit codes. Colours follow https://no-color.org and appear on terminals only.
#include "tools/lathe/output/output.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "tools/lathe/arguments/files.h"
#include "tools/lathe/output/sarif.h"

namespace lathe::tool {
namespace {

constexpr std::string_view reset = "\x1b[0m";

std::string_view escapeOf(Style style) {
  switch (style) {
    case Style::plain:
      return "";
    case Style::bold:
      return "\x1b[1m";
    case Style::dim:
      return "\x1b[2m";
    case Style::red:
      return "\x1b[1;31m";
    case Style::green:
      return "\x1b[32m";
    case Style::yellow:
      return "\x1b[1;33m";
  }
  return "";
}

bool mayColour(int descriptor) {
  const char* const noColour = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  if (noColour && *noColour) return false;
  return isatty(descriptor) == 1 && (!terminal || std::string_view(terminal) != "dumb");
}

void write(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
}

/// Paints the word that opens a diagnostic line ("error: …", "file:3:4: warning: …") and leaves the rest alone.
std::string paintSeverities(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, Style>, 4> words = {
      {{"error: ", Style::red}, {"warning: ", Style::yellow}, {"note: ", Style::bold}, {"hint: ", Style::green}}};
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    for (const auto& [word, style] : words) {
      const std::size_t at = line.find(word);
      if (at == std::string_view::npos || (at > 0 && line[at - 1] != ' ')) continue;
      out.append(line.substr(0, at)).append(escapeOf(style)).append(word.substr(0, word.size() - 1)).append(reset);
      line.remove_prefix(at + word.size() - 1);
      break;
    }
    out.append(line);
  }
  return out;
}

std::string documentText(const Json& document) {
  // Names and snippets come from user files and need not be UTF-8; a replacement character is better than no document.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json toJson(const std::vector<Note>& notes) {
  Json list = Json::array();
  for (const Note& note : notes) {
    Json one = {{"message", note.message}};
    if (!note.location.file.empty()) one["location"] = tool::toJson(note.location);
    if (!note.snippet.empty()) one["snippet"] = note.snippet;
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace

ExitCode exitCodeOf(const Error& error) noexcept {
  if (error.code == ErrorCode::FileUnreadable || error.code == ErrorCode::FileUnwritable) return ExitCode::failed;
  switch (errorFamily(error.code)) {
    case ErrorFamily::caller:
      return ExitCode::failed;
    case ErrorFamily::environment:
      return ExitCode::environment;
    case ErrorFamily::internal:
      return ExitCode::internal;
  }
  return ExitCode::internal;
}

Json toJson(const SourceLocation& location) {
  Json out = {{"file", location.file}};
  if (location.line) out["line"] = location.line;
  if (location.column) out["column"] = location.column;
  return out;
}

Json toJson(const Diagnostic& diagnostic) {
  Json out = {{"severity", severityName(diagnostic.severity)}, {"message", diagnostic.message}};
  if (diagnostic.severity == Severity::error) out["code"] = errorName(diagnostic.code);
  if (!diagnostic.location.file.empty()) out["location"] = toJson(diagnostic.location);
  if (!diagnostic.snippet.empty()) out["snippet"] = diagnostic.snippet;
  if (!diagnostic.notes.empty()) out["notes"] = toJson(diagnostic.notes);
  if (!diagnostic.hint.empty()) out["hint"] = diagnostic.hint;
  return out;
}

Json toJson(const Error& error) {
  Json out = {{"code", errorName(error.code)},
              {"value", static_cast<int>(error.code)},
              {"family", familyName(errorFamily(error.code))},
              {"message", error.message}};
  if (!error.hint.empty()) out["hint"] = error.hint;
  if (!error.stage.empty()) out["stage"] = error.stage;
  if (!error.target.empty()) out["target"] = error.target;
  if (!error.location.file.empty()) out["location"] = toJson(error.location);
  if (!error.notes.empty()) out["notes"] = toJson(error.notes);
  if (!error.diagnostics.empty()) {
    Json list = Json::array();
    for (const Diagnostic& diagnostic : error.diagnostics) list.push_back(toJson(diagnostic));
    out["diagnostics"] = std::move(list);
  }
  return out;
}

Output::Output() : colourResults_(mayColour(STDOUT_FILENO)), colourDiagnostics_(mayColour(STDERR_FILENO)) {}

void Output::text(std::string_view text) {
  if (!json_) write(results_, text);
}

void Output::document(const Json& document) {
  write(stdout, documentText(document));
}

void Output::raw(std::string_view bytes) {
  write(stdout, bytes);
}

void Output::note(std::string_view text) {
  write(stderr, text);
}

std::string Output::diagnosticText(std::string_view rendered) const {
  return colourDiagnostics_ ? paintSeverities(rendered) : std::string(rendered);
}

void Output::diagnose(std::string_view rendered) const {
  write(stderr, diagnosticText(rendered));
}

void Output::useDiagnostics(DiagnosticFormat format, std::string file, std::string source) {
  format_ = format;
  diagnosticsFile_ = std::move(file);
  source_ = std::move(source);
}

void Output::warning(const Diagnostic& diagnostic) {
  findings_.push_back(diagnostic);
  if (format_ == DiagnosticFormat::text && !json_) diagnose(render(diagnostic));
}

std::string Output::failureText(const Error& error) const {
  if (!json_) return diagnosticText(error.render());
  return documentText({{"error", toJson(error)}, {"exit_code", static_cast<int>(exitCodeOf(error))}});
}

ExitCode Output::fail(const Error& error) {
  error_ = error;
  if (json_ || format_ == DiagnosticFormat::text) write(json_ ? stdout : stderr, failureText(error));
  return exitCodeOf(error);
}

ExitCode Output::usage(std::string_view message, std::string_view helpCommand) {
  if (json_)
    document({{"error", {{"code", "usage"}, {"family", "caller"}, {"message", message}}},
              {"exit_code", static_cast<int>(ExitCode::usage)}});
  else
    diagnose(fmt::format("error: {}\nhint: '{}' lists what is accepted\n", message, helpCommand));
  return ExitCode::usage;
}

std::string Output::paint(Style style, std::string_view text) const {
  if (!colourResults_ || results_ != stdout || style == Style::plain) return std::string(text);
  return fmt::format("{}{}{}", escapeOf(style), text, reset);
}

Json Output::diagnosticsDocument(ExitCode code) const {
  std::vector<Diagnostic> findings = findings_;
  if (error_) {
    findings.insert(findings.end(), error_->diagnostics.begin(), error_->diagnostics.end());
    if (error_->diagnostics.empty()) {
      findings.push_back({.code = error_->code,
                          .message = error_->message,
                          .location = error_->location,
                          .notes = error_->notes,
                          .hint = error_->hint});
    }
  }
  if (format_ == DiagnosticFormat::sarif) return sarif(findings, error_, source_, code);
  Json list = Json::array();
  for (const Diagnostic& finding : findings) list.push_back(toJson(finding));
  Json document = {{"diagnostics", list}, {"exit_code", static_cast<int>(code)}};
  if (error_) document["error"] = toJson(*error_);
  return document;
}

ExitCode Output::finish(ExitCode code) {
  if (format_ != DiagnosticFormat::text) {
    const std::string text = documentText(diagnosticsDocument(code));
    if (diagnosticsFile_.empty()) {
      write(stderr, text);
    } else if (auto done = writeFile(diagnosticsFile_, text); !done) {
      diagnose(done.error().render());
      code = code == ExitCode::ok ? ExitCode::failed : code;
    }
  }
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  diagnose(fmt::format("error: standard output: {}\n", std::strerror(errno ? errno : EIO)));
  return code == ExitCode::ok ? ExitCode::failed : code;
}

std::string humanBytes(double bytes) {
  static constexpr std::array<std::string_view, 5> units = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 || bytes >= 99.5 ? fmt::format("{:.0f} {}", bytes, units[unit])
                                    : fmt::format("{:.1f} {}", bytes, units[unit]);
}

}  // namespace lathe::tool
