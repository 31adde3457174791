// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's offload bundles with code objects of other compilers: what is read is listed, unpacked, and bundled again.
#include <vector>

#include <lathe/fat_image.h>
#include <lathe/formats/offload_bundle.h>
#include <lathe/image.h>

#include "hostile.h"

using namespace lathe;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto fat = imagesOfOffloadBundle(hostile::textOf(data, size));
  if (!fat) {
    hostile::touch(fat.error().render());
    return 0;
  }
  std::vector<Image> images;
  for (std::size_t index = 0; index < fat->entries().size(); ++index) {
    auto image = fat->image(index);
    hostile::require(image.hasValue());
    hostile::touch(toJson(*image));
    images.push_back(*std::move(image));
  }
  const auto bundle = offloadBundle(images, /*compressed=*/false);
  if (!bundle) {
    hostile::touch(bundle.error().render());
    return 0;
  }
  const auto again = imagesOfOffloadBundle(*bundle);
  hostile::require(again && again->entries().size() == images.size());
  return 0;
}

/// The magic stays, without which all else is refused at once.
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed) {
  constexpr std::string_view magic = "__CLANG_OFFLOAD_BUNDLE__";
  std::string out = hostile::mutated(std::string(hostile::textOf(data, size)));
  if (seed % 8 != 0 && hostile::textOf(data, size).starts_with(magic) && out.size() >= magic.size())
    out.replace(0, magic.size(), magic);
  return hostile::give(out, data, size, maxSize);
}
