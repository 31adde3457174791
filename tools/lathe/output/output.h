// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the tool speaks: results on stdout, diagnostics on stderr, or one JSON document on stdout with --json. Every
// command ends in an ExitCode from here; nothing else in the tool decides what the shell sees.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/result.h>

#include <nlohmann/json.hpp>

namespace lathe::tool {

using Json = nlohmann::ordered_json;

/// What the process returns. Stable: scripts depend on it. docs/tool.md lists the codes.
enum class ExitCode : int {
  ok = 0,
  failed = 1,       ///< the request or the source is wrong, a result is wrong, or a file it names cannot be used
  usage = 2,        ///< the command line is not understood
  environment = 3,  ///< the machine lacks a device, a driver, a tool or memory
  internal = 4,     ///< a defect of Lathe, or a crash that was contained
};

/// Files are named by the caller, so an unreadable one counts as `failed` although its error family is the environment.
[[nodiscard]] ExitCode exitCodeOf(const Error& error) noexcept;

[[nodiscard]] Json toJson(const SourceLocation& location);
[[nodiscard]] Json toJson(const Diagnostic& diagnostic);
[[nodiscard]] Json toJson(const Error& error);

/// How diagnostics are written: for people, or as one document for programs.
enum class DiagnosticFormat { text, json, sarif };

enum class Style { plain, bold, dim, red, green, yellow };

class Output {
 public:
  Output();

  void useJson() noexcept { json_ = true; }
  [[nodiscard]] bool json() const noexcept { return json_; }
  /// Sends text() to stderr, because stdout carries a compiled file.
  void reserveStdout() noexcept { results_ = stderr; }

  /// Diagnostics as one document, written by finish() to `file`, or to stderr if that is empty. `source` is the place
  /// of those that have none.
  void useDiagnostics(DiagnosticFormat format, std::string file, std::string source);

  /// Text for people; nothing in JSON mode.
  void text(std::string_view text);
  /// The one document of JSON mode, where it is not an error.
  void document(const Json& document);
  /// Bytes as they are, on stdout.
  void raw(std::string_view bytes);
  /// A line about what is happening, on stderr in both modes.
  void note(std::string_view text);
  void warning(const Diagnostic& diagnostic);
  /// Reports `error` in the form asked for and says how to end.
  [[nodiscard]] ExitCode fail(const Error& error);
  /// What fail() writes.
  [[nodiscard]] std::string failureText(const Error& error) const;
  /// A wrong command line, with how to get help.
  [[nodiscard]] ExitCode usage(std::string_view message, std::string_view helpCommand);

  /// `text` in `style` when results go to a terminal, otherwise as it is.
  [[nodiscard]] std::string paint(Style style, std::string_view text) const;
  /// Flushes stdout. A full disk or a closed pipe turns success into failure.
  [[nodiscard]] ExitCode finish(ExitCode code);

 private:
  void diagnose(std::string_view rendered) const;
  [[nodiscard]] Json diagnosticsDocument(ExitCode code) const;
  [[nodiscard]] std::string diagnosticText(std::string_view rendered) const;

  bool json_ = false;
  bool colourResults_ = false;
  bool colourDiagnostics_ = false;
  std::FILE* results_ = stdout;
  DiagnosticFormat format_ = DiagnosticFormat::text;
  std::string diagnosticsFile_;
  std::string source_;
  std::vector<Diagnostic> findings_;
  std::optional<Error> error_;
};

/// "1.5 kB", "12 B": powers of 1000.
[[nodiscard]] std::string humanBytes(double bytes);

}  // namespace lathe::tool
