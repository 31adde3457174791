// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels print: from arguments to text, and where the text goes.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

namespace lathe::detail {

/// One argument of a device's printf.
struct PrintValue {
  char type = '\0';         ///< abi::PrintType
  std::uint64_t bits = 0;   ///< of numbers and pointers
  std::string_view text{};  ///< of strings
};

/// The text that printf would make of it. What the format and the arguments disagree about does no harm: a conversion
/// without a fitting argument is printed as it stands. `%n` prints and stores nothing.
[[nodiscard]] std::string formatPrint(std::string_view format, std::span<const PrintValue> values);

/// Where a device's text goes: to the standard output, or to a function of the program's. Texts of concurrent calls are
/// not mixed.
class PrintOutput {
 public:
  using Sink = std::function<void(std::string_view)>;
  void set(Sink sink);
  void write(std::string_view text);

 private:
  std::mutex mutex_;
  Sink sink_;
};

}  // namespace lathe::detail
