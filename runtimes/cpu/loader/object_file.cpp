// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loadObject(): an object file describes itself in a section, with which its bytes make an image like any other.
#include <elf.h>

#include <cstring>

#include <fmt/format.h>

#include <lathe/runtime.h>

#include "core/image/interface.h"
#include "core/support/bytes.h"
#include "core/support/file.h"
#include "runtimes/cpu/loader/elf_object.h"

namespace lathe {
namespace {

using detail::loadAt;
using detail::objectError;
using detail::sliceOf;

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

/// Errors name the file.
Result<Image> imageOf(const std::filesystem::path& path) {
  auto file = detail::MappedFile::open(path);
  if (!file) return std::move(file).error();
  const std::span<const std::byte> bytes = file->bytes();
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
  const auto section = sectionCalled(detail::imageSectionName, bytes, *header);
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

}  // namespace

Result<Module> loadObject(const std::filesystem::path& path) {
  const auto named = [&](Error error) {
    if (error.message.find(path.string()) == std::string::npos) error.message = path.string() + ": " + error.message;
    return error;
  };
  auto image = imageOf(path);
  if (!image) return named(std::move(image).error());
  auto device = Device::open("cpu");
  if (!device) return std::move(device).error();
  auto module = device->load(*image);
  if (!module) return named(std::move(module).error());
  return module;
}

}  // namespace lathe
