// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments as numbers, and what they promise.
#include "runtimes/common/promises.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include <fmt/format.h>

namespace lathe::detail {
namespace {

/// Pointers are not said to be aligned to more than this: no access is wider.
constexpr std::uint64_t mostAlign = 16;

/// The bits of a scalar argument.
std::uint64_t bitsOf(const Parameter& parameter, const void* argument) {
  std::uint64_t out = 0;
  std::memcpy(&out, argument, std::min<std::size_t>(parameter.type.size, sizeof(out)));
  return out;
}

/// A scalar as a number that Promises::arguments takes; none for what cannot be written as one.
std::optional<std::string> numberOf(const TypeLayout& type, std::uint64_t bits) {
  const auto floating = [](auto value) {
    return std::isnan(value) ? std::nullopt : std::optional(fmt::format("{}", value));
  };
  if (type.size > sizeof(bits)) return std::nullopt;
  const unsigned unused = 64 - 8 * static_cast<unsigned>(type.size);
  switch (type.kind) {
    case TypeKind::boolean:
      return bits != 0 ? "true" : "false";
    case TypeKind::signedInteger:
      return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
    case TypeKind::unsignedInteger:
      return std::to_string(bits);
    case TypeKind::floating:
      if (type.size == sizeof(float)) return floating(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
      return type.size == sizeof(double) ? floating(std::bit_cast<double>(bits)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

Error broken(const EntryPoint& entry, const Parameter& parameter, const std::string& what) {
  const auto position = &parameter - entry.parameters.data();
  return {.code = ErrorCode::ArgumentMismatch,
          .message = fmt::format("kernel '{}': argument {}, '{}', {}", entry.name, position, parameter.name, what),
          .hint = "compile again for this launch, or without that promise (Options::promises)"};
}

}  // namespace

bool hasPromises(const EntryPoint& entry) noexcept {
  return entry.pointerAlign > 1 ||
         std::ranges::any_of(entry.parameters, [](const Parameter& one) { return !one.fixed.empty(); });
}

Result<void> checkArguments(const EntryPoint& entry, std::span<const void* const> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Parameter& parameter = entry.parameters[i];
    const bool isAligned = entry.pointerAlign > 1 && parameter.type.kind == TypeKind::pointer;
    if (parameter.fixed.empty() && !isAligned) continue;
    const std::uint64_t bits = bitsOf(parameter, arguments[i]);
    if (isAligned && bits % entry.pointerAlign != 0)
      return broken(entry, parameter,
                    fmt::format("is no multiple of the {} bytes that the code was compiled for", entry.pointerAlign));
    if (parameter.fixed.empty() || bits == parameter.fixed[0]) continue;
    const auto text = [&](std::uint64_t value) {
      return numberOf(parameter.type, value).value_or(fmt::format("{:#x}", value));
    };
    return broken(entry, parameter,
                  fmt::format("is {}, and the code was compiled for {}", text(bits), text(parameter.fixed[0])));
  }
  return {};
}

Promises promisesOf(const EntryPoint& entry, std::span<const void* const> arguments, Promises promises) {
  std::uint64_t addresses = mostAlign;
  bool hasPointers = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Parameter& parameter = entry.parameters[i];
    const std::uint64_t bits = bitsOf(parameter, arguments[i]);
    if (parameter.type.kind == TypeKind::pointer) {
      hasPointers = true;
      addresses |= bits;
    } else if (auto number = numberOf(parameter.type, bits)) {
      promises.arguments.erase(parameter.name);
      promises.arguments[std::to_string(i)] = *std::move(number);
    }
  }
  if (hasPointers) promises.pointerAlign = static_cast<std::uint32_t>(addresses & (~addresses + 1));
  return promises;
}

}  // namespace lathe::detail
