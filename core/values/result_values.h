// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of errors and of what is in them.
#pragma once

#include <lathe/result.h>

#include "core/values/describe.h"

namespace lathe {

constexpr std::string_view nameOf(Severity value) {
  switch (value) {
    case Severity::remark:
      return "remark";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return {};
}

constexpr std::string_view nameOf(ErrorCode value) {
  switch (value) {
#define LATHE_ERROR(enumerator, value, name, family, meaning) \
  case ErrorCode::enumerator:                                 \
    return name;
#include <lathe/error_codes.def>
  }
  return {};
}

}  // namespace lathe

namespace lathe::detail {

template <>
struct Description<SourceLocation> {
  static constexpr auto fields = std::tuple(field("file", &SourceLocation::file), field("line", &SourceLocation::line),
                                            field("column", &SourceLocation::column));
};

template <>
struct Description<Note> {
  static constexpr auto fields = std::tuple(field("message", &Note::message), field("location", &Note::location),
                                            field("snippet", &Note::snippet));
};

template <>
struct Description<Diagnostic> {
  static constexpr auto fields = std::tuple(
      field("severity", &Diagnostic::severity), field("code", &Diagnostic::code),
      field("message", &Diagnostic::message), field("location", &Diagnostic::location),
      field("snippet", &Diagnostic::snippet), field("notes", &Diagnostic::notes), field("hint", &Diagnostic::hint));
};

template <>
struct Description<StageDump> {
  static constexpr auto fields = std::tuple(field("stage", &StageDump::stage), field("ir", &StageDump::ir));
};

template <>
struct Description<Error> {
  static constexpr auto fields = std::tuple(
      field("code", &Error::code), field("message", &Error::message), field("notes", &Error::notes),
      field("hint", &Error::hint), field("stage", &Error::stage), field("target", &Error::target),
      field("location", &Error::location), field("diagnostics", &Error::diagnostics), field("dumps", &Error::dumps));
};

}  // namespace lathe::detail
