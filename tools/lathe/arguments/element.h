// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as arrays hold them: the element types that .npy files, kernel pointees and the --arg language share, their
// names, and conversions to and from their bytes (little endian, as all of Lathe's hosts and devices are).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/image.h>

#include "tools/lathe/output/output.h"

namespace lathe::tool {

/// One number, or the two of a complex one.
struct ElementType {
  TypeKind kind = TypeKind::opaque;
  std::uint32_t scalarBytes = 0;
  std::uint32_t lanes = 1;  ///< 2: complex
  [[nodiscard]] std::uint32_t bytes() const { return scalarBytes * lanes; }
  /// The same number, regardless of complex pairs.
  [[nodiscard]] bool sameScalar(const ElementType& other) const {
    return kind == other.kind && scalarBytes == other.scalarBytes;
  }
  bool operator==(const ElementType&) const = default;
};

/// "f32", "i64", "u8", "bool", "f16", "bf16", "c64", …
[[nodiscard]] std::optional<ElementType> elementNamed(std::string_view name);
[[nodiscard]] std::string_view nameOf(ElementType type);
/// Every name, for messages.
[[nodiscard]] std::string elementNames();

/// NumPy's type string ("<f4") and back. bf16 has none of its own there and is the 2-byte void "<V2", as ml_dtypes
/// writes it.
[[nodiscard]] std::string_view npyNameOf(ElementType type);
[[nodiscard]] std::optional<ElementType> elementOfNpyName(std::string_view name);

/// What `type` consists of, if that is one kind of number without padding: itself, a vector, an array, or a record of
/// such.
[[nodiscard]] std::optional<ElementType> scalarWithin(const TypeLayout& type);

/// Stores one scalar (lanes ignored). False if `value` is out of the type's range.
[[nodiscard]] bool storeInteger(ElementType type, std::int64_t value, std::byte* to);
/// Floating and bfloat types only; rounds to nearest even. False if a finite value overflows.
[[nodiscard]] bool storeFloating(ElementType type, double value, std::byte* to);
/// Text to one scalar of any kind: "-3", "0x1f", "1e-3", "inf", "true". The reason in words if it does not fit.
[[nodiscard]] std::optional<std::string> storeText(ElementType type, std::string_view text, std::byte* to);

/// One scalar as text that reads back to the same bits, and as JSON (a string for what JSON has no number for).
[[nodiscard]] std::string scalarText(ElementType type, const std::byte* from);
[[nodiscard]] Json scalarJson(ElementType type, const std::byte* from);

/// An array in memory: C order, `bytes.size() == count() * type.bytes()`.
struct Array {
  ElementType type;
  std::vector<std::uint64_t> shape;
  std::vector<std::byte> bytes;
  [[nodiscard]] std::uint64_t count() const;
};

/// Bytes of an array of that shape, or nothing if that exceeds the address space.
[[nodiscard]] std::optional<std::uint64_t> arrayBytes(ElementType type, std::span<const std::uint64_t> shape);
/// "f32[4,3]"
[[nodiscard]] std::string describe(const Array& array);

}  // namespace lathe::tool
