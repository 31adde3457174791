// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fat images: what is read is listed, chosen from, unpacked, given another feature and read again.
#include <lathe/fat_image.h>
#include <lathe/image.h>

#include "hostile.h"
#include "image_bytes.h"

using namespace lathe;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto fat = FatImage::fromBytes(hostile::bytesOf(data, size));
  if (!fat) {
    hostile::touch(fat.error().render());
    return 0;
  }
  for (const FatImageEntry& entry : fat->entries()) {
    hostile::touch(entry.target + entry.arch + entry.features);
    for (const std::size_t index : fat->candidates(entry.runtime, entry.arch))
      hostile::require(index < fat->entries().size());
  }
  constexpr std::uint64_t mostBytes = 1 << 20;  // zeros pack well, and the fuzzer has little memory
  for (std::size_t index = 0; index < fat->entries().size(); ++index) {
    if (fat->entries()[index].bytes > mostBytes) continue;
    const auto image = fat->image(index);
    hostile::touch(image ? toJson(*image) : image.error().render());
  }
  hostile::require(!fat->image(fat->entries().size()));
  // All but a feature stays the same, and what is written can be read.
  const auto with = fat->withFeature({.name = "note", .required = false, .data = "text"});
  hostile::require(with && with->feature("note"));
  const auto again = FatImage::fromBytes(with->bytes());
  hostile::require(again && again->entries() == fat->entries());
  const auto other = again->withFeature({.name = "note", .required = false, .data = "other"});
  hostile::require(other && other->contents("note") == with->contents("note"));
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned) {
  std::string out = hostile::mutated(std::string(hostile::textOf(data, size)));
  constexpr std::string_view magic = "LATHEFAT";
  if (out.size() >= magic.size()) out.replace(0, magic.size(), magic);
  hostile::repairImage(out);
  return hostile::give(out, data, size, maxSize);
}
