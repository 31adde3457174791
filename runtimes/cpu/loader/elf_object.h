// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A relocatable 64-bit ELF object, checked while it is read (System V ABI, chapters 4 and 5): after parse() every name,
// size and index in it is good. The bytes stay where they are.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <lathe/result.h>

namespace lathe::detail {

struct ElfSection {
  std::string_view name;
  Elf64_Shdr header;
  std::span<const std::byte> bytes;  ///< empty for SHT_NOBITS

  /// Whether it is in memory when the code runs.
  [[nodiscard]] bool isLoaded() const noexcept { return (header.sh_flags & SHF_ALLOC) != 0; }
};

struct ElfSymbol {
  std::string_view name;
  Elf64_Sym entry;

  [[nodiscard]] unsigned type() const noexcept { return ELF64_ST_TYPE(entry.st_info); }
  [[nodiscard]] bool isUndefined() const noexcept { return entry.st_shndx == SHN_UNDEF; }
  [[nodiscard]] bool isWeak() const noexcept { return ELF64_ST_BIND(entry.st_info) == STB_WEAK; }
  /// True for names that only the object's own code means.
  [[nodiscard]] bool isHidden() const noexcept {
    const unsigned visibility = ELF64_ST_VISIBILITY(entry.st_other);
    return visibility == STV_HIDDEN || visibility == STV_INTERNAL;
  }
  [[nodiscard]] bool isLocal() const noexcept { return ELF64_ST_BIND(entry.st_info) == STB_LOCAL; }
};

struct ElfRelocation {
  std::size_t section;  ///< what is patched
  std::uint64_t offset;
  std::uint32_t type;
  std::uint32_t symbol;
  std::int64_t addend;
};

struct ElfObject {
  /// Errors: ImageCorrupt.
  [[nodiscard]] static Result<ElfObject> parse(std::span<const std::byte> bytes);

  std::uint16_t machine = 0;
  std::uint64_t sectionTableOffset = 0;
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;
  std::vector<ElfRelocation> relocations;  ///< of loaded sections, in file order
};

/// "object: WHAT", the form of everything the loader complains about.
[[nodiscard]] Error objectError(std::string_view what);

}  // namespace lathe::detail
