// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values as CBOR (RFC 8949), for frames. A struct is a list of its fields, and a text a byte string, because paths and
// messages may hold any bytes. The reader asks for a kind of value at a time, so it goes as deep as the type that is
// read and no deeper; what is of another kind, has no length, or has a tag is refused.
#pragma once

#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "core/support/bytes.h"
#include "core/values/codec.h"

namespace lathe::detail {

/// The upper three bits of a value's first byte.
enum class CborKind : std::uint8_t { natural = 0, negative = 1, bytes = 2, list = 4, map = 5, simple = 7 };

inline constexpr std::uint8_t cborFalse = 0xf4, cborTrue = 0xf5, cborDouble = 0xfb;

class CborWriter {
 public:
  void boolean(bool value) { bytes_.number(value ? cborTrue : cborFalse); }
  template <std::integral T>
  void number(T value) {
    if (std::cmp_less(value, 0)) return head(CborKind::negative, ~static_cast<std::uint64_t>(value));
    head(CborKind::natural, static_cast<std::uint64_t>(value));
  }
  void real(double value) {
    bytes_.number(cborDouble);
    bigEndian(std::bit_cast<std::uint64_t>(value), sizeof(value));
  }
  void text(std::string_view value) {
    head(CborKind::bytes, value.size());
    bytes_.raw(value);
  }
  void list(std::size_t count) { head(CborKind::list, count); }
  void map(std::size_t count) { head(CborKind::map, count); }
  void record(std::size_t count) { list(count); }
  [[nodiscard]] std::string take() { return bytes_.take(); }

 private:
  /// A kind and a number, in the fewest bytes.
  void head(CborKind kind, std::uint64_t value) {
    const int log = value < 24 ? -1 : value <= UINT8_MAX ? 0 : value <= UINT16_MAX ? 1 : value <= UINT32_MAX ? 2 : 3;
    const auto low = log < 0 ? static_cast<unsigned>(value) : 24U + static_cast<unsigned>(log);
    bytes_.number(static_cast<std::uint8_t>(static_cast<unsigned>(kind) << 5U | low));
    if (log >= 0) bigEndian(value, std::size_t{1} << static_cast<unsigned>(log));
  }
  void bigEndian(std::uint64_t value, std::size_t size) {
    while (size != 0) bytes_.number(static_cast<std::uint8_t>(value >> 8 * --size));
  }

  ByteWriter bytes_;
};

class CborReader {
 public:
  explicit CborReader(std::string_view bytes) : bytes_(std::as_bytes(std::span(bytes))) {}

  [[nodiscard]] static bool has(std::uint32_t) noexcept { return true; }
  [[nodiscard]] bool boolean() noexcept {
    const auto first = bytes_.number<std::uint8_t>();
    if (first != cborFalse && first != cborTrue) fail();
    return first == cborTrue;
  }
  /// A whole number, refused if T does not hold it.
  template <std::integral T>
  [[nodiscard]] T number() noexcept {
    const auto [kind, value] = head();
    if (kind == CborKind::natural && std::in_range<T>(value)) return static_cast<T>(value);
    const auto below = static_cast<std::int64_t>(~value);
    if (kind == CborKind::negative && below < 0 && std::in_range<T>(below)) return static_cast<T>(below);
    fail();
    return 0;
  }
  template <std::same_as<double> T>
  [[nodiscard]] T real() noexcept {
    if (bytes_.number<std::uint8_t>() != cborDouble) fail();
    return std::bit_cast<double>(bigEndian(sizeof(double)));
  }
  [[nodiscard]] std::string_view text() noexcept { return bytes_.raw(sized(CborKind::bytes)); }
  /// The number of elements, which take a byte each at least.
  template <class>
  [[nodiscard]] std::uint64_t list() noexcept {
    return sized(CborKind::list);
  }
  template <class, class>
  [[nodiscard]] std::uint64_t map() noexcept {
    return sized(CborKind::map);
  }
  void record(std::size_t count) noexcept {
    if (sized(CborKind::list) != count) fail();
  }
  void fail() noexcept { bytes_.fail(); }
  [[nodiscard]] bool failed() const noexcept { return bytes_.failed(); }
  [[nodiscard]] bool atEnd() const noexcept { return bytes_.atEnd(); }

 private:
  struct Head {
    CborKind kind;
    std::uint64_t value;
  };
  Head head() noexcept {
    const auto first = bytes_.number<std::uint8_t>();
    const unsigned low = first & 31U;
    if (low > 27) fail();
    const std::uint64_t value = low < 24 || failed() ? low : bigEndian(std::size_t{1} << (low - 24));
    return {static_cast<CborKind>(first >> 5U), value};
  }
  std::uint64_t sized(CborKind wanted) noexcept {
    const auto [kind, value] = head();
    if (kind == wanted && value <= bytes_.left() && !failed()) return value;
    fail();
    return 0;
  }
  std::uint64_t bigEndian(std::size_t size) noexcept {
    std::uint64_t value = 0;
    for (; size != 0; --size) value = value << 8U | bytes_.number<std::uint8_t>();
    return value;
  }

  ByteReader bytes_;
};

}  // namespace lathe::detail
