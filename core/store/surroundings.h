// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files and environment variables that decide what the compiler makes of portable code, as a text that the runtime
// library compares with the machine later, without the compiler.
#pragma once

#include <string>
#include <string_view>

namespace lathe::detail {

/// Collects what an answer depends on beside its question.
class Surroundings {
 public:
  /// As it is now.
  void variable(const std::string& name);
  void file(const std::string& path);
  /// Never empty.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void add(char kind, const std::string& name, const std::string& value);
  std::string text_ = "1";  ///< the format's version
};

/// Whether the surroundings are as they were. A file that is gone is none that changed: programs run on machines from
/// which the compiler was removed.
[[nodiscard]] bool stillHolds(std::string_view surroundings);

}  // namespace lathe::detail
