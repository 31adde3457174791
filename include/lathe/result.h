// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors as values: Lathe throws no exception. `Result<T>` is shaped like C++23's std::expected<T, Error>;
// it becomes an alias of it when Lathe moves to C++23.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <lathe/export.h>

namespace lathe {

/// The kind of a failure. The list, with meanings, is <lathe/error_codes.def>; docs/errors.md explains each.
enum class ErrorCode : std::uint16_t {
#define LATHE_ERROR(enumerator, value, name, family, meaning) enumerator = value,
#include <lathe/error_codes.def>
};

/// Whose fault a code names: the caller's request, the machine, or Lathe.
enum class ErrorFamily : std::uint8_t { caller, environment, internal };

/// The stable, hyphenated name of `code` ("unknown-kernel"); never null, valid for the life of the process.
[[nodiscard]] LATHE_API std::string_view errorName(ErrorCode code) noexcept;
/// The family that `code` belongs to.
[[nodiscard]] LATHE_API ErrorFamily errorFamily(ErrorCode code) noexcept;
/// One line that says what the code means.
[[nodiscard]] LATHE_API std::string_view errorMeaning(ErrorCode code) noexcept;
/// "caller", "environment" or "internal".
[[nodiscard]] LATHE_API std::string_view familyName(ErrorFamily family) noexcept;
/// The code of that stable name; nothing if there is none.
[[nodiscard]] LATHE_API std::optional<ErrorCode> errorCodeNamed(std::string_view name) noexcept;
/// Every code, in the order of their values.
[[nodiscard]] LATHE_API std::vector<ErrorCode> errorCodes();

/// A place in a text. Lines and columns count from 1; 0 means unknown.
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool operator==(const SourceLocation&) const = default;
};

/// The severity of a diagnostic.
enum class Severity : std::uint8_t { remark, warning, error };
/// "remark", "warning" or "error".
[[nodiscard]] LATHE_API std::string_view severityName(Severity severity) noexcept;

/// A further line of a diagnostic: an include stack, a candidate, a step of a call chain.
struct Note {
  std::string message = {};
  SourceLocation location = {};
  /// The source line and a caret below it, each ended by '\n'; empty if there is none.
  std::string snippet = {};
  bool operator==(const Note&) const = default;
};

/// One error, warning or remark of a compile. `location` may be unknown (line 0).
struct Diagnostic {
  Severity severity = Severity::error;
  ErrorCode code = ErrorCode::SourceError;
  std::string message = {};
  SourceLocation location = {};
  std::string snippet = {};
  std::vector<Note> notes = {};
  std::string hint = {};
  bool operator==(const Diagnostic&) const = default;
};

/// The module after one stage, as LLVM assembly.
struct StageDump {
  std::string stage;
  std::string ir;
  /// "NN-STAGE.ll", a name for a file: NN is the stage's place in the whole order, so that dumps of two compiles sort
  /// alike.
  [[nodiscard]] LATHE_API std::string fileName() const;
  bool operator==(const StageDump&) const = default;
};

/// A failed operation. `message` is one line: subject first, then the remedy where it is short.
struct Error {
  ErrorCode code = ErrorCode::Internal;
  std::string message = {};
  std::vector<Note> notes = {};
  /// A remedy to try; empty if nothing helps.
  std::string hint = {};
  /// The lowering stage or phase that failed ("frontend", "validate"); empty outside a compile.
  std::string stage = {};
  /// The target compiled for, or the runtime that failed; may be empty.
  std::string target = {};
  SourceLocation location = {};
  /// All findings of a failed compile, in source order; empty elsewhere.
  std::vector<Diagnostic> diagnostics = {};
  /// Of a failed compile whose request has dumpAfter: the stages before the one that failed, in order.
  std::vector<StageDump> dumps = {};

  /// The whole report as text, ended by '\n', without colours.
  [[nodiscard]] LATHE_API std::string render() const;
  bool operator==(const Error&) const = default;
};

/// One diagnostic as text, as compilers print it: "file:line:col: error: message", caret, notes, hint.
[[nodiscard]] LATHE_API std::string render(const Diagnostic& diagnostic);

/// "; did you mean 'x'?" for the end of a message about the unknown name `name`, or nothing if none of `known` is a
/// plausible misspelling of it.
[[nodiscard]] LATHE_API std::string didYouMean(std::string_view name, const std::vector<std::string>& known);

/// A T or an Error. Test before use: value() of a failed result and error() of a good one are undefined; builds with
/// assertions end there.
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool hasValue() const noexcept { return state_.index() == 0; }
  [[nodiscard]] explicit operator bool() const noexcept { return hasValue(); }

  [[nodiscard]] T& value() & {
    assert(hasValue());
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] const T& value() const& {
    assert(hasValue());
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] T&& value() && {
    assert(hasValue());
    return std::move(*std::get_if<0>(&state_));
  }
  [[nodiscard]] T& operator*() & { return value(); }
  [[nodiscard]] const T& operator*() const& { return value(); }
  [[nodiscard]] T&& operator*() && { return std::move(*this).value(); }
  [[nodiscard]] T* operator->() { return &value(); }
  [[nodiscard]] const T* operator->() const { return &value(); }

  [[nodiscard]] Error& error() & {
    assert(!hasValue());
    return *std::get_if<1>(&state_);
  }
  [[nodiscard]] const Error& error() const& {
    assert(!hasValue());
    return *std::get_if<1>(&state_);
  }
  [[nodiscard]] Error&& error() && {
    assert(!hasValue());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  std::variant<T, Error> state_;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  // Written out: were it defaulted, `return {}` would set the whole object to zero before it.
  Result() noexcept {}  // NOLINT(modernize-use-equals-default)
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool hasValue() const noexcept { return !error_; }
  [[nodiscard]] explicit operator bool() const noexcept { return hasValue(); }
  [[nodiscard]] Error& error() & {
    assert(error_);
    return *error_;
  }
  [[nodiscard]] const Error& error() const& {
    assert(error_);
    return *error_;
  }
  [[nodiscard]] Error&& error() && {
    assert(error_);
    return *std::move(error_);
  }

 private:
  std::optional<Error> error_;  // empty costs one byte to make: launches return this type
};

}  // namespace lathe
