// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The packed form of values, which jobs, bundles and images are stored in: fields without gaps, little-endian integers
// of their own width, booleans and enumerations as one byte, texts as a length of 32 bits and their bytes, lists and
// maps as a count of 32 bits and their elements. Each value has one spelling.
#pragma once

#include <string>
#include <string_view>

#include "core/support/bytes.h"
#include "core/values/codec.h"

namespace lathe::detail {

/// The least bytes that a T takes, in any version of a format.
template <class T>
[[nodiscard]] consteval std::size_t leastPackedBytes() {
  if constexpr (isArray<T>) {
    return std::tuple_size_v<T> * leastPackedBytes<typename T::value_type>();
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    return sizeof(T);
  } else if constexpr (Described<T>) {
    std::size_t sum = 0;
    forEachFieldOf<T>([&]<class S, class M>(const Field<S, M>& field) {
      if (field.version == 0) sum += leastPackedBytes<M>();
    });
    return sum;
  } else {
    return sizeof(std::uint32_t);  // a length or count
  }
}

class PackedWriter {
 public:
  void boolean(bool value) { bytes_.number(std::uint8_t{value}); }
  template <std::integral T>
  void number(T value) {
    bytes_.number(value);
  }
  void text(std::string_view value) { bytes_.text(value); }
  void list(std::size_t count) { bytes_.number(static_cast<std::uint32_t>(count)); }
  void map(std::size_t count) { list(count); }
  /// The reader knows how many values there are.
  void record(std::size_t) {}
  [[nodiscard]] std::string take() { return bytes_.take(); }

 private:
  ByteWriter bytes_;
};

/// Reads what PackedWriter wrote, and nothing that it would not have written.
class PackedReader {
 public:
  /// `version`: that of the format which the bytes are in. Fields that came later are not read.
  explicit PackedReader(std::span<const std::byte> bytes, std::uint32_t version = UINT32_MAX)
      : bytes_(bytes), version_(version) {}
  explicit PackedReader(std::string_view bytes) : PackedReader(std::as_bytes(std::span(bytes))) {}

  [[nodiscard]] bool has(std::uint32_t since) const noexcept { return version_ >= since; }
  [[nodiscard]] bool boolean() noexcept { return bytes_.numberUpTo<std::uint8_t>(1) == 1; }
  template <std::integral T>
  [[nodiscard]] T number() noexcept {
    return bytes_.number<T>();
  }
  [[nodiscard]] std::string_view text() noexcept { return bytes_.text(); }
  /// The number of elements, which the rest of the bytes has room for.
  template <class T>
  [[nodiscard]] std::size_t list() noexcept {
    return bytes_.count(leastPackedBytes<T>());
  }
  template <class Key, class T>
  [[nodiscard]] std::size_t map() noexcept {
    return bytes_.count(leastPackedBytes<Key>() + leastPackedBytes<T>());
  }
  void record(std::size_t) {}
  void fail() noexcept { bytes_.fail(); }
  [[nodiscard]] bool failed() const noexcept { return bytes_.failed(); }
  [[nodiscard]] bool atEnd() const noexcept { return bytes_.atEnd(); }

 private:
  ByteReader bytes_;
  std::uint32_t version_;
};

}  // namespace lathe::detail
