// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Little-endian bytes, bounds-checked: a writer, a sequential reader whose first failure sticks (so that a parser tests
// once, at the end of a group of reads), and random access for formats that point about in themselves, such as ELF.
#pragma once

#include <bit>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lathe::detail {

static_assert(std::endian::native == std::endian::little,
              "scalars are copied as they stand; a big-endian host must swap them");

/// The `size` bytes at `offset`, or nothing if they are not all there.
[[nodiscard]] inline std::optional<std::span<const std::byte>> sliceOf(std::span<const std::byte> bytes,
                                                                       std::uint64_t offset,
                                                                       std::uint64_t size) noexcept {
  if (offset > bytes.size() || size > bytes.size() - offset) return std::nullopt;
  return bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

/// The T at `offset`, aligned or not, or nothing if it is not all there.
template <class T>
  requires std::is_trivially_copyable_v<T>
[[nodiscard]] std::optional<T> loadAt(std::span<const std::byte> bytes, std::uint64_t offset) noexcept {
  const auto slice = sliceOf(bytes, offset, sizeof(T));
  if (!slice) return std::nullopt;
  T out;
  std::memcpy(&out, slice->data(), sizeof(T));
  return out;
}

class ByteWriter {
 public:
  template <std::integral T>
  void number(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    out_.append(raw, sizeof(T));
  }
  /// A length of 32 bits, then the bytes.
  void text(std::string_view value) {
    assert(value.size() <= UINT32_MAX);
    number(static_cast<std::uint32_t>(value.size()));
    out_.append(value);
  }
  void raw(std::string_view bytes) { out_.append(bytes); }
  /// Zeros up to the next multiple of `alignment`.
  void alignTo(std::size_t alignment) { out_.resize((out_.size() + alignment - 1) / alignment * alignment, '\0'); }
  /// Replaces a number written before.
  template <std::integral T>
  void numberAt(std::size_t offset, T value) {
    assert(offset + sizeof(T) <= out_.size());
    std::memcpy(out_.data() + offset, &value, sizeof(T));
  }
  [[nodiscard]] std::size_t size() const noexcept { return out_.size(); }
  [[nodiscard]] std::string_view view() const noexcept { return out_; }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  /// The next number; 0 once anything failed.
  template <std::integral T>
  [[nodiscard]] T number() noexcept {
    const auto value = loadAt<T>(rest_, 0);
    if (!value || failed_) {
      fail();
      return 0;
    }
    rest_ = rest_.subspan(sizeof(T));
    return *value;
  }
  /// A number that must be at most `most`.
  template <std::unsigned_integral T>
  [[nodiscard]] T numberUpTo(T most) noexcept {
    const T value = number<T>();
    if (value <= most) return value;
    fail();
    return 0;
  }
  /// What ByteWriter::text() wrote. The view is into the bytes read.
  [[nodiscard]] std::string_view text() noexcept { return raw(number<std::uint32_t>()); }
  /// The next `size` bytes.
  [[nodiscard]] std::string_view raw(std::uint64_t size) noexcept {
    const auto slice = sliceOf(rest_, 0, size);
    if (!slice || failed_) {
      fail();
      return {};
    }
    rest_ = rest_.subspan(slice->size());
    return {reinterpret_cast<const char*>(slice->data()), slice->size()};
  }
  /// A count of things of at least `leastBytes` each: more than the rest can hold fails, before anybody allocates.
  [[nodiscard]] std::uint32_t count(std::size_t leastBytes) noexcept {
    const auto value = number<std::uint32_t>();
    if (value <= rest_.size() / leastBytes) return value;
    fail();
    return 0;
  }
  [[nodiscard]] std::size_t left() const noexcept { return rest_.size(); }
  void fail() noexcept { failed_ = true; }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] bool atEnd() const noexcept { return !failed_ && rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
  bool failed_ = false;
};

}  // namespace lathe::detail
