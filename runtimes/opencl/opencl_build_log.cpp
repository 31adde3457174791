// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/opencl/opencl_build_log.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace lathe::detail {
namespace {

/// The line in "FILE:LINE:COLUMN: error: …" or "FILE:LINE:COLUMN: warning: …", of drivers that are made of Clang; else
/// 0.
std::size_t lineIn(std::string_view message) {
  const std::size_t word = std::min(message.find(": error"), message.find(": warning"));
  if (word == std::string_view::npos) return 0;
  const std::size_t column = message.rfind(':', word - 1);
  if (word == 0 || column == std::string_view::npos || column == 0) return 0;
  const std::size_t line = message.rfind(':', column - 1);
  const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
  std::size_t out = 0;
  const auto [end, failed] = std::from_chars(message.data() + begin, message.data() + column, out);
  return failed == std::errc{} && end == message.data() + column ? out : 0;
}

/// The kernel that the line belongs to: the last whose definition begins no later. Empty if there is none.
std::string_view kernelAt(std::string_view text, std::size_t line) {
  std::size_t end = 0;  // of the line
  for (std::size_t from = 0; line != 0 && end != std::string_view::npos; --line) {
    end = text.find('\n', from);
    from = end + 1;
  }
  constexpr std::string_view before = "__kernel void ";
  const std::size_t at = text.substr(0, end).rfind(before);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + before.size());
  const auto isName = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '$'; };
  return rest.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(rest, isName) - rest.begin()));
}

}  // namespace

std::string withKernels(std::string_view log, std::string_view text) {
  if (text.find("\n#line ") != std::string_view::npos) return std::string(log);  // its lines are the source's
  std::string out;
  while (!log.empty()) {
    const std::string_view message = log.substr(0, log.find('\n'));
    const std::size_t line = lineIn(message);
    const std::string_view kernel = line == 0 ? std::string_view() : kernelAt(text, line);
    out += kernel.empty() ? fmt::format("{}\n", message) : fmt::format("kernel '{}': {}\n", kernel, message);
    log.remove_prefix(std::min(message.size() + 1, log.size()));
  }
  return out;
}

}  // namespace lathe::detail
