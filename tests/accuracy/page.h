// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was measured, where it is kept: docs/accuracy.md, and records brought from another machine.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tests/accuracy/rows.h"

namespace lathe::accuracy {

/// One target's errors.
struct Measured {
  std::string target, device, library;
  /// Row and format → largest error.
  std::map<std::string, double> errors;

  static std::string key(const Row& row, unsigned format);
};

/// As JSON. False: the file cannot be written.
[[nodiscard]] bool writeRecord(const Measured& run, const std::string& path);
/// Empty if there is none, or it is of another target.
[[nodiscard]] std::optional<Measured> readRecord(const std::string& path, const std::string& target);

/// The page's part about a target, without its results (they differ from one machine to another).
[[nodiscard]] std::string withoutResults(const std::string& table);
/// The same as it must be, with `run`'s results or, where it has none, those of `before`.
[[nodiscard]] std::string tableOf(Library library, const Measured* run, const std::string& before);
/// Of the page's text, the target's part between its marks; null if it has none.
[[nodiscard]] std::optional<std::string> partOf(const std::string& page, const std::string& target);
[[nodiscard]] std::string withPart(const std::string& page, const std::string& target, const std::string& part);

}  // namespace lathe::accuracy
