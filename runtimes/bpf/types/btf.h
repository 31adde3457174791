// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reader of BTF, the kernel's type format (kernel.org/doc/html/latest/bpf/btf.html): types by number, read where they
// lie, because the running kernel has 100,000 of them. Every offset and number is checked: parse() refuses what is cut
// off, and a type that refers to one that is not there reads as void.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/result.h>

namespace lathe::bpf::detail {

/// BTF_KIND_…, by its number.
enum class BtfKind : std::uint8_t {
  none,
  integer,
  pointer,
  array,
  structure,
  union_,
  enumeration,
  forward,
  typedef_,
  volatile_,
  const_,
  restrict_,
  function,
  prototype,
  variable,
  section,
  floating,
  declTag,
  typeTag,
  enumeration64,
};

/// A member of a structure, a parameter of a prototype (no offset), or a variable of a section (offset in bytes × 8).
struct BtfMember {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint32_t bitOffset = 0;
  std::uint32_t bits = 0;   ///< of a bit-field, else 0
  std::uint32_t bytes = 0;  ///< of a section's variable
  bool isStatic = false;    ///< a section's variable that is `static` in C
};

struct BtfEnumerator {
  std::string_view name;
  std::int64_t value = 0;
};

/// One type, without the types it refers to. A viewing type: names belong to the Btf.
struct BtfType {
  BtfKind kind = BtfKind::none;
  std::string_view name;
  bool flag = false;        ///< structures: offsets have bit-fields; forwards: of a union; enumerations: signed
  std::uint32_t count = 0;  ///< of members, enumerators, parameters or variables
  std::uint32_t bytes = 0;  ///< integers, structures, enumerations, sections
  std::uint32_t to = 0;  ///< pointers, typedefs, qualifiers, functions, prototypes (result), variables; arrays: element
  std::uint32_t elements = 0;  ///< arrays
  std::uint32_t integer = 0;   ///< encoding of an integer, or linkage of a function or variable
  [[nodiscard]] bool isSigned() const noexcept { return (integer >> 24 & 1) != 0; }
  [[nodiscard]] bool isCharacter() const noexcept { return (integer >> 24 & 2) != 0; }
  [[nodiscard]] bool isBoolean() const noexcept { return (integer >> 24 & 4) != 0; }
};

/// How the record of a type lies in BTF, in words of 32 bits: the head (the name's offset; kind and count; a size or a
/// type), words that all of the kind have, and a few for each element (member, enumerator, parameter, variable).
struct BtfRecord {
  static constexpr std::size_t headWords = 3;
  static constexpr int none = -1;
  std::size_t fixed = 0, each = 0;  ///< words behind the head, and words of an element
  bool refers = false;              ///< the last word of the head is a type
  std::size_t fixedTypes = 0;       ///< so many of the fixed words are types, the first ones
  int name = none, type = none;     ///< the words of an element that are its name and its type
};
/// Of a kind up to enumeration64.
[[nodiscard]] BtfRecord recordOf(BtfKind kind) noexcept;

class Btf {
 public:
  /// Errors: ImageCorrupt.
  [[nodiscard]] static Result<Btf> parse(std::vector<std::byte> bytes);
  /// The same of bytes that are another's, who keeps them. Errors: ImageCorrupt.
  [[nodiscard]] static Result<Btf> view(std::span<const std::byte> bytes);
  Btf() = default;

  /// Numbers from 1 to this.
  [[nodiscard]] std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(offsets_.size()); }
  /// void for 0 and for numbers that are not there.
  [[nodiscard]] BtfType type(std::uint32_t number) const;
  [[nodiscard]] std::vector<BtfMember> members(std::uint32_t number) const;
  [[nodiscard]] std::vector<BtfEnumerator> enumerators(std::uint32_t number) const;
  /// The number of the first type of that kind and name; 0 if there is none.
  [[nodiscard]] std::uint32_t find(BtfKind kind, std::string_view name) const;
  /// Behind typedefs and qualifiers.
  [[nodiscard]] std::uint32_t stripped(std::uint32_t number) const;
  /// The same without `const` and `volatile` alone.
  [[nodiscard]] std::uint32_t unqualified(std::uint32_t number) const;
  /// In bytes; 0 if it has none.
  [[nodiscard]] std::uint64_t sizeOf(std::uint32_t number) const;
  [[nodiscard]] std::string_view text(std::uint32_t offset) const;
  /// The name of a type, ended by a zero: for searches, which do not want its length. "" for numbers that are not
  /// there.
  [[nodiscard]] const char* letters(std::uint32_t number) const noexcept;
  /// True for the places of names; each ends with a zero if the last one does.
  [[nodiscard]] bool isName(std::uint32_t offset) const noexcept { return offset < strings_.size(); }
  [[nodiscard]] bool namesEnd() const noexcept { return !strings_.empty() && strings_.back() == std::byte{0}; }
  /// The words of a type as they lie in the file: offset of the name, kind with count, size or type, then what the kind
  /// has more. Empty for numbers that are not there.
  [[nodiscard]] std::span<const std::byte> record(std::uint32_t number) const;

 private:
  [[nodiscard]] std::uint32_t word(std::size_t offset) const noexcept;
  std::vector<std::byte> bytes_;
  std::span<const std::byte> types_, strings_;
  std::vector<std::uint32_t> offsets_;
};

/// The bytes of the section `name` of a 64-bit little-endian ELF file; nothing if the file is none or lacks it.
[[nodiscard]] std::optional<std::span<const std::byte>> elfSection(std::span<const std::byte> elf,
                                                                   std::string_view name);

/// A relocation of a program by the kernel's types (CO-RE), from BTF.ext.
struct BtfRelocation {
  std::uint32_t type = 0;  ///< of the object's own
  std::uint32_t kind = 0;  ///< enum bpf_core_relo_kind in the kernel's linux/bpf.h
};

/// The relocations that the section .BTF.ext of an object holds; nothing if it is damaged.
[[nodiscard]] std::optional<std::vector<BtfRelocation>> btfRelocations(std::span<const std::byte> extension);

/// A source line of an instruction, from BTF.ext.
struct BtfLine {
  std::string_view section;
  std::uint32_t instruction = 0;  ///< in its section
  std::string_view file, text;
  std::uint32_t line = 0, column = 0;
};

/// The source lines that the section .BTF.ext of an object holds; none if it is damaged. They view `types`.
[[nodiscard]] std::vector<BtfLine> btfLines(std::span<const std::byte> extension, const Btf& types);

}  // namespace lathe::bpf::detail
