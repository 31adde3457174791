// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The section that describes an object is looked up by name, in relocatable and in shared objects.
#include "runtimes/cpu/loader/object_image.h"

#include <elf.h>

#include <cstring>

#include <fmt/format.h>

#include "core/image/interface.h"
#include "core/support/bytes.h"
#include "runtimes/cpu/loader/elf_object.h"

namespace lathe::detail {
namespace {

/// The bytes of the section called `name`, of a relocatable or a shared object.
Result<std::span<const std::byte>> sectionCalled(std::string_view name, std::span<const std::byte> file,
                                                 const Elf64_Ehdr& header) {
  if (header.e_shoff > file.size()) return objectError("the section table is cut off");
  const auto section = [&](std::size_t index) {
    return loadAt<Elf64_Shdr>(file, header.e_shoff + index * sizeof(Elf64_Shdr));
  };
  const auto names = section(header.e_shstrndx);
  const auto text = names ? sliceOf(file, names->sh_offset, names->sh_size) : std::nullopt;
  if (!text) return objectError("the section table is cut off");
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto one = section(i);
    if (!one) return objectError("the section table is cut off");
    const auto own = sliceOf(*text, one->sh_name, name.size() + 1);
    if (!own || std::memcmp(own->data(), name.data(), name.size()) != 0 || own->back() != std::byte{0}) continue;
    const auto bytes = sliceOf(file, one->sh_offset, one->sh_size);
    if (!bytes) return objectError(fmt::format("section '{}' is cut off", name));
    return *bytes;
  }
  Error error = objectError("it does not say what is in it");
  error.hint = "only objects that Lathe compiled for a host (target 'object') can be loaded, before they are stripped";
  return error;
}

}  // namespace

Result<Image> imageOfObject(std::span<const std::byte> bytes) {
  const auto header = loadAt<Elf64_Ehdr>(bytes, 0);
  constexpr std::string_view archive = "!<arch>\n";
  if (bytes.size() >= archive.size() && std::memcmp(bytes.data(), archive.data(), archive.size()) == 0) {
    Error error = objectError("this is an archive, which only a linker reads");
    error.hint = "compile with --emit object or shared";
    return error;
  }
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return objectError("this is not an ELF file");
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
    return objectError("this is not a 64-bit little-endian ELF file");
  const auto section = sectionCalled(imageSectionName, bytes, *header);
  if (!section) return section.error();
  auto description = Image::fromBytes(*section);
  if (!description) return std::move(description).error();
  ImageInfo info = description->info();
  info.runtime = "cpu";  // which also says so if the code is for another processor
  const std::string arch = info.arch;
  const char* const format = header->e_type == ET_DYN ? "shared" : "elf";
  std::vector<Image::CodeBlob> code;
  code.push_back({format, arch, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())});
  return Image::build(std::move(info), std::move(code));
}

}  // namespace lathe::detail
