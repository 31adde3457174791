// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/options/number_options.h"

#include <cctype>
#include <cstdint>

namespace lathe::tool {
namespace {

/// The power of two that a unit stands for; every unit counts in 1024.
std::optional<unsigned> shiftOf(std::string_view unit) {
  constexpr std::string_view prefixes = "kmgtpe";
  std::string lower;
  for (const char letter : unit) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  if (lower.empty() || lower == "b") return 0;
  const std::size_t prefix = prefixes.find(lower.front());
  const std::string_view rest = std::string_view(lower).substr(1);
  if (prefix == prefixes.npos || !(rest.empty() || rest == "b" || rest == "i" || rest == "ib")) return std::nullopt;
  return 10 * (static_cast<unsigned>(prefix) + 1);
}

}  // namespace

CLI::Validator sizeTransform() {
  return {[](std::string& text) {
            const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
            const std::size_t unit = std::min(text.find_first_not_of(' ', digits), text.size());
            const auto number = parseNumber<std::uint64_t>(std::string_view(text).substr(0, digits));
            const auto shift = shiftOf(std::string_view(text).substr(unit));
            if (!number || !shift || *number > UINT64_MAX >> *shift)
              return "'" + text + "' is not a size below 16 EiB: a whole number, and B, KiB, MiB, GiB, TiB, PiB or EiB";
            text = std::to_string(*number << *shift);
            return std::string();
          },
          ""};
}

}  // namespace lathe::tool
