// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that are numbers, and what a user reads who gives another word or a number out of range.
#pragma once

#include <charconv>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace lathe::tool {

/// The number that all of `text` is: whole ones in decimal or, behind 0x, hexadecimal digits.
template <class T>
std::optional<T> parseNumber(std::string_view text) {
  T out{};
  const char* const end = text.data() + text.size();
  std::from_chars_result parsed{};
  if constexpr (std::floating_point<T>) {
    parsed = std::from_chars(text.data(), end, out);
  } else {
    const bool hexadecimal = text.starts_with("0x") && !text.starts_with("0x-");
    parsed = std::from_chars(text.data() + (hexadecimal ? 2 : 0), end, out, hexadecimal ? 16 : 10);
  }
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return out;
}

/// Adds an option that takes a number from `least` to `most`; `form` stands for it in the help.
template <class T>
CLI::Option* addNumber(CLI::App& app, const std::string& name, T& value, const std::string& help,
                       const std::string& form, std::type_identity_t<T> least = 0,
                       std::type_identity_t<T> most = std::numeric_limits<T>::max()) {
  const auto check = [least, most](std::string& text) -> std::string {
    const std::optional<T> number = parseNumber<T>(text);
    if (!number || !(*number >= least && *number <= most)) {  // of NaN both are false
      return fmt::format("'{}' is not a {}number from {} to {}", text, std::floating_point<T> ? "" : "whole ", least,
                         most);
    }
    // CLI11 would read a leading zero as a sign of octal digits.
    if constexpr (!std::floating_point<T>) text = std::to_string(*number);
    return {};
  };
  const bool all = most == std::numeric_limits<T>::max();
  return app.add_option(name, value, help)
      ->type_name(form)
      ->transform(CLI::Validator(check, all ? "" : fmt::format("{} to {}", least, most)));
}

/// Makes bytes of a size like 512M, 2GiB or 4096.
[[nodiscard]] CLI::Validator sizeTransform();

}  // namespace lathe::tool
