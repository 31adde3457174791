// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerations and bit-fields in a TypeLayout, which has no members of its own for them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <lathe/export.h>
#include <lathe/image.h>

namespace lathe {

/// True for integers and enumerations. An enumeration's `fields` are its enumerators: a name each, and the value as
/// `offset`, extended with its sign to 64 bits. Plain integers have none.
[[nodiscard]] inline bool isInteger(const TypeLayout& type) noexcept {
  return type.kind == TypeKind::signedInteger || type.kind == TypeKind::unsignedInteger;
}

/// True for the type of a field that is a bit-field: of `count` bits, the lowest of which is bit `align`, 0 to 7, of
/// the byte at the field's offset; the others follow, into the next bytes too. `size` is how many bytes they touch,
/// element[0] the declared type, an integer, enumeration or boolean.
[[nodiscard]] inline bool isBitField(const TypeLayout& type) noexcept {
  return !type.element.empty() && (isInteger(type) || type.kind == TypeKind::boolean);
}

/// The type of a bit-field that is declared as a `declared`.
[[nodiscard]] inline TypeLayout bitField(TypeLayout declared, std::uint32_t bits, std::uint32_t firstBit) {
  constexpr std::uint32_t bitsPerByte = 8;
  TypeLayout out;
  out.kind = declared.kind;
  out.name = declared.name;
  out.size = (std::uint64_t{firstBit} + bits + bitsPerByte - 1) / bitsPerByte;
  out.align = firstBit;
  out.count = bits;
  out.element.push_back(std::move(declared));
  return out;
}

/// A type as JSON, on one line, as it stands in an image's description: enumerations have a list "enumerators",
/// bit-fields "bits" and "firstBit" beside their offset and declared type.
[[nodiscard]] LATHE_API std::string toJson(const TypeLayout& type);

}  // namespace lathe
