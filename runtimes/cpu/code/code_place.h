// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an address in loaded code to its function and source line, for reports of crashes. All of it may run in a signal
// handler: nothing is allocated, no lock is taken, and the object's bytes are not trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace lathe::detail {

/// Texts are views into the object; empty, or 0, where it does not say.
struct CodePlace {
  std::string_view function;  ///< its symbol
  std::uint64_t offset = 0;   ///< from the function's start
  std::string_view folder;
  std::string_view file;
  std::uint32_t line = 0;
};

/// `object`: a relocatable object whose loaded sections have their addresses in their headers.
[[nodiscard]] CodePlace placeOf(std::span<const std::byte> object, std::uint64_t address) noexcept;

/// The object as one that placeOf() takes, known to findCode() while this lives.
class CodeRegistration {
 public:
  /// `code` is where its code lies. Both outlive the registration. Errors: std::bad_alloc.
  CodeRegistration(std::span<const std::byte> code, std::span<const std::byte> object);
  CodeRegistration(const CodeRegistration&) = delete;
  CodeRegistration& operator=(const CodeRegistration&) = delete;
  ~CodeRegistration();

 private:
  struct Node;
  friend std::span<const std::byte> findCode(std::uint64_t address) noexcept;
  static Node& freeNode();
  Node& node_;
};

/// The registered object that has code at `address`; empty if none has.
[[nodiscard]] std::span<const std::byte> findCode(std::uint64_t address) noexcept;

}  // namespace lathe::detail
