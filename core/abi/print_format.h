// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conversions of a printf format (ISO C17, 7.21.6.1), for the compiler, which must know which arguments are
// strings, and for runtimes, which print.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace lathe::detail {

struct PrintConversion {
  std::string_view before;     ///< plain text in front of it, in which "%%" is not replaced
  std::string_view text;       ///< all of it: "%-*ld"
  std::string_view flags;      ///< "-"
  std::string_view width;      ///< digits, "*" or nothing
  std::string_view precision;  ///< with its point: ".3", ".*", "." or nothing
  std::string_view length;     ///< "hh", "h", "l", "ll", "z", "j", "t", "L" or nothing
  char letter = '\0';          ///< 'd'; '%' for "%%"; 0 where the format ends within it
};

/// Takes the next conversion, and what is in front of it, from the front of `format`; nothing if only text is left.
inline std::optional<PrintConversion> nextConversion(std::string_view& format) {
  const std::size_t start = format.find('%');
  if (start == std::string_view::npos) return std::nullopt;
  PrintConversion out;
  out.before = format.substr(0, start);
  std::size_t at = start + 1;
  const auto take = [&](std::string_view letters) {
    const std::size_t first = at;
    at = std::min(format.find_first_not_of(letters, at), format.size());
    return format.substr(first, at - first);
  };
  const auto number = [&] {
    if (at < format.size() && format[at] == '*') return format.substr(at++, 1);
    return take("0123456789");
  };
  out.flags = take("-+ #0");
  out.width = number();
  if (at < format.size() && format[at] == '.') {
    const std::size_t point = at++;
    out.precision = format.substr(point, 1 + number().size());
  }
  out.length = take("hlzjtLq");
  if (at < format.size()) out.letter = format[at++];
  out.text = format.substr(start, at - start);
  format.remove_prefix(at);
  return out;
}

/// What `format` makes of each argument: the letter of its conversion, '*' for an extent.
inline std::string printArguments(std::string_view format) {
  std::string out;
  while (const auto conversion = nextConversion(format)) {
    if (conversion->letter == '%') continue;
    if (conversion->width == "*") out += '*';
    if (conversion->precision == ".*") out += '*';
    out += conversion->letter;
  }
  return out;
}

}  // namespace lathe::detail
