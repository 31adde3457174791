// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects for the loader of the CPU runtime: linked, looked into and unloaded, never run. While one is loaded an
// exception is thrown, because the unwinder then reads what the object says of its frames.
#include <elf.h>

#include <algorithm>
#include <stdexcept>

#include "core/support/bytes.h"
#include "hostile.h"
#include "image_bytes.h"
#include "runtimes/cpu/code/code_place.h"
#include "runtimes/cpu/loader/loaded_object.h"
#include "runtimes/cpu/loader/object_image.h"

using namespace lathe;

namespace {

void look(std::span<const std::byte> object, std::uint64_t address) {
  const auto place = detail::placeOf(object, address);
  hostile::touch(place.function);
  hostile::touch(place.file);
  hostile::touch(place.folder);
}

/// The reader of symbols and line tables also takes objects that the loader refuses.
void lookForPlaces(std::string object) {
  const auto header = detail::loadAt<Elf64_Ehdr>(std::as_bytes(std::span(object)), 0);
  if (!header) return;
  const auto count = std::min<std::size_t>(header->e_shnum, 8);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t at = header->e_shoff + i * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_addr);
    const std::uint64_t address = 0x10000 * (i + 1);
    if (at < object.size() && object.size() - at >= sizeof(address))
      std::memcpy(object.data() + at, &address, sizeof(address));
  }
  for (std::size_t i = 0; i < count; ++i) look(std::as_bytes(std::span(object)), 0x10000 * (i + 1) + 5);
}

/// Changes the image in `section`, whose header is at `at`. One that became longer moves to the end of the object.
std::size_t mutateImage(std::uint8_t* data, std::size_t size, std::size_t maxSize, std::uint64_t at, Elf64_Shdr section,
                        unsigned seed) {
  const std::string_view before = hostile::textOf(data + section.sh_offset, section.sh_size);
  const std::string image = hostile::mutatedImage(before, seed);
  std::string object(hostile::textOf(data, size));
  if (image.size() > before.size()) section.sh_offset = object.size();
  section.sh_size = image.size();
  object.resize(std::max<std::size_t>(object.size(), section.sh_offset + image.size()));
  std::memcpy(object.data() + section.sh_offset, image.data(), image.size());
  std::memcpy(object.data() + at, &section, sizeof(section));
  return hostile::give(object, data, size, maxSize);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lookForPlaces(std::string(hostile::textOf(data, size)));
  if (const auto image = detail::imageOfObject(hostile::bytesOf(data, size)); !image)
    hostile::touch(image.error().render());
  const auto object = detail::LoadedObject::load(hostile::bytesOf(data, size));
  if (!object) {
    hostile::touch(object.error().render());
    return 0;
  }
  try {
    throw std::runtime_error("thrown while the object is loaded");
  } catch (const std::runtime_error& error) {
    hostile::touch(error.what());
  }
  (void)(*object)->variable("table");
  for (const char* name : {"saxpy", "sine", "poke"}) {
    const auto code = reinterpret_cast<std::uint64_t>((*object)->function(name));
    for (std::uint64_t at = code; code != 0 && at < code + 64; at += 8) look(detail::findCode(at), at);
  }
  return 0;
}

/// A header, an entry of the section table, the contents of a section, or the image in one.
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed) {
  const auto header = detail::loadAt<Elf64_Ehdr>(hostile::bytesOf(data, size), 0);
  if (!header || header->e_shnum == 0 || seed % 16 == 0) return LLVMFuzzerMutate(data, size, maxSize);
  const std::size_t index = seed / 16 % header->e_shnum;
  const std::uint64_t at = header->e_shoff + index * sizeof(Elf64_Shdr);
  const auto section = at < size ? detail::loadAt<Elf64_Shdr>(hostile::bytesOf(data, size), at) : std::nullopt;
  if (!section) return LLVMFuzzerMutate(data, size, maxSize);
  const auto contents = detail::sliceOf(hostile::bytesOf(data, size), section->sh_offset, section->sh_size);
  if (seed % 4 == 0 || !contents) {
    hostile::mutateSlice(data, at, sizeof(Elf64_Shdr));
  } else if (hostile::textOf(data + section->sh_offset, contents->size()).starts_with("LATHEIMG")) {
    return mutateImage(data, size, maxSize, at, *section, seed / 16);
  } else {
    hostile::mutateSlice(data, section->sh_offset, section->sh_size);
  }
  return size;
}
