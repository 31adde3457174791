// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading relocatable objects. What Lathe's compiler never writes is refused by name: thread-local storage, indirect
// functions, static constructors, common symbols.
#include "runtimes/cpu/loader/elf_object.h"

#include <bit>
#include <cstring>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "core/support/bytes.h"

namespace lathe::detail {
namespace {

constexpr std::uint64_t pageBytes = 4096;

/// Names of sections and symbols are together at most this many times as long as the file. Compilers let some end in
/// the same bytes, and no more than that.
constexpr std::uint64_t mostNames = 16;

/// The text at `offset` of a string table, or nothing if it does not end within.
std::optional<std::string_view> textAt(std::span<const std::byte> table, std::uint64_t offset) {
  if (offset >= table.size()) return std::nullopt;
  const auto* const start = reinterpret_cast<const char*>(table.data()) + offset;
  const std::size_t room = table.size() - static_cast<std::size_t>(offset);
  const std::size_t length = ::strnlen(start, room);
  if (length == room) return std::nullopt;
  return std::string_view(start, length);
}

Result<void> checkHeader(const Elf64_Ehdr& header) {
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return objectError("this is not an ELF file");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return objectError("this is not a 64-bit little-endian ELF file");
  if (header.e_type != ET_REL) return objectError(fmt::format("ELF type {} is not relocatable", header.e_type));
  if (header.e_shentsize != sizeof(Elf64_Shdr))
    return objectError(fmt::format("section headers of {} bytes", header.e_shentsize));
  return {};
}

/// Refuses the kinds of loaded sections that need more than memory.
Result<void> checkLoaded(const ElfSection& section) {
  const Elf64_Shdr& header = section.header;
  if (header.sh_flags & SHF_TLS)
    return objectError(fmt::format("section '{}' is thread-local, which kernels cannot have", section.name));
  if (header.sh_flags & SHF_COMPRESSED) return objectError(fmt::format("section '{}' is compressed", section.name));
  if (header.sh_type == SHT_INIT_ARRAY || header.sh_type == SHT_FINI_ARRAY || header.sh_type == SHT_PREINIT_ARRAY) {
    return objectError(fmt::format("section '{}' holds static constructors, which kernels cannot have", section.name));
  }
  if (header.sh_addralign > pageBytes || (header.sh_addralign != 0 && !std::has_single_bit(header.sh_addralign))) {
    return objectError(fmt::format("section '{}' wants an alignment of {}", section.name, header.sh_addralign));
  }
  return {};
}

Result<void> readSections(std::span<const std::byte> file, const Elf64_Ehdr& header, ElfObject& out) {
  std::uint64_t inFile = 0;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto raw = loadAt<Elf64_Shdr>(file, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (!raw || header.e_shoff > file.size()) return objectError("the section table is cut off");
    ElfSection section{.name = {}, .header = *raw, .bytes = {}};
    if (raw->sh_type != SHT_NOBITS && raw->sh_type != SHT_NULL) {
      const auto bytes = sliceOf(file, raw->sh_offset, raw->sh_size);
      if (!bytes) return objectError(fmt::format("section {} is cut off", i));
      section.bytes = *bytes;
      // What is read of an object grows with its size only if no byte is read as part of many sections.
      inFile += bytes->size();
      if (inFile > file.size()) return objectError("its sections overlap");
    }
    out.sections.push_back(section);
  }
  if (header.e_shstrndx >= out.sections.size()) return objectError("there are no section names");
  const std::span<const std::byte> names = out.sections[header.e_shstrndx].bytes;
  std::uint64_t letters = 0;
  for (ElfSection& section : out.sections) {
    const auto name = textAt(names, section.header.sh_name);
    if (!name) return objectError("a section's name is cut off");
    letters += name->size();
    if (letters > mostNames * file.size()) return objectError("its sections' names are damaged");
    section.name = *name;
    if (!section.isLoaded()) continue;
    if (auto sound = checkLoaded(section); !sound) return sound;
  }
  return {};
}

Result<void> checkSymbol(const ElfSymbol& symbol, const ElfObject& object) {
  const std::uint16_t index = symbol.entry.st_shndx;
  if (symbol.type() == STT_TLS)
    return objectError(fmt::format("symbol '{}' is thread-local, which kernels cannot have", symbol.name));
  if (symbol.type() == STT_GNU_IFUNC)
    return objectError(fmt::format("symbol '{}' is an indirect function, which kernels cannot have", symbol.name));
  if (index == SHN_COMMON)
    return objectError(fmt::format("symbol '{}' is common; compile with -fno-common", symbol.name));
  if (index == SHN_UNDEF || index == SHN_ABS) return {};
  if (index >= object.sections.size()) return objectError(fmt::format("symbol '{}' is in no section", symbol.name));
  const std::uint64_t size = object.sections[index].header.sh_size;
  if (symbol.entry.st_value > size || symbol.entry.st_size > size - symbol.entry.st_value) {
    return objectError(fmt::format("symbol '{}' lies outside of its section", symbol.name));
  }
  return {};
}

Result<void> readSymbols(std::span<const std::byte> file, ElfObject& out) {
  std::uint64_t letters = 0;
  for (const ElfSection& section : out.sections) {
    if (section.header.sh_type != SHT_SYMTAB) continue;
    if (!out.symbols.empty()) return objectError("there are two symbol tables");
    if (section.header.sh_link >= out.sections.size()) return objectError("the symbol table has no names");
    const std::span<const std::byte> names = out.sections[section.header.sh_link].bytes;
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= section.bytes.size(); at += sizeof(Elf64_Sym)) {
      ElfSymbol symbol{.name = {}, .entry = *loadAt<Elf64_Sym>(section.bytes, at)};
      const auto name = textAt(names, symbol.entry.st_name);
      if (!name) return objectError("a symbol's name is cut off");
      letters += name->size();
      if (letters > mostNames * file.size()) return objectError("its symbols' names are damaged");
      symbol.name = *name;
      if (auto sound = checkSymbol(symbol, out); !sound) return sound;
      out.symbols.push_back(symbol);
    }
  }
  return {};
}

Result<void> readRelocations(ElfObject& out) {
  for (const ElfSection& table : out.sections) {
    if (table.header.sh_type != SHT_RELA && table.header.sh_type != SHT_REL) continue;
    if (table.header.sh_info >= out.sections.size())
      return objectError(fmt::format("'{}' relocates no section", table.name));
    const ElfSection& patched = out.sections[table.header.sh_info];
    if (!patched.isLoaded()) continue;  // debug information: the debugger's to relocate
    if (table.header.sh_type == SHT_REL)
      return objectError(fmt::format("'{}' keeps addends in place, which no machine known here does", table.name));
    for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= table.bytes.size(); at += sizeof(Elf64_Rela)) {
      const auto raw = *loadAt<Elf64_Rela>(table.bytes, at);
      const auto symbol = static_cast<std::uint32_t>(ELF64_R_SYM(raw.r_info));
      if (symbol >= out.symbols.size())
        return objectError(fmt::format("'{}' names a symbol that is not there", table.name));
      out.relocations.push_back({table.header.sh_info, raw.r_offset,
                                 static_cast<std::uint32_t>(ELF64_R_TYPE(raw.r_info)), symbol, raw.r_addend});
    }
  }
  return {};
}

}  // namespace

Error objectError(std::string_view what) {
  return {.code = ErrorCode::ImageCorrupt, .message = fmt::format("object: {}", what), .target = "cpu"};
}

Result<ElfObject> ElfObject::parse(std::span<const std::byte> bytes) {
  const auto header = loadAt<Elf64_Ehdr>(bytes, 0);
  if (!header) return objectError(fmt::format("{} bytes are too few for an ELF file", bytes.size()));
  if (auto sound = checkHeader(*header); !sound) return std::move(sound).error();
  ElfObject out;
  out.machine = header->e_machine;
  out.sectionTableOffset = header->e_shoff;
  if (auto read = readSections(bytes, *header, out); !read) return std::move(read).error();
  if (auto read = readSymbols(bytes, out); !read) return std::move(read).error();
  if (auto read = readRelocations(out); !read) return std::move(read).error();
  return out;
}

}  // namespace lathe::detail
