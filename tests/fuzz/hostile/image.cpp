// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images: what is read is described, bound and written again.
#include <lathe/image.h>
#include <lathe/runtime.h>
#include <array>

#include "hostile.h"
#include "image_bytes.h"

using namespace lathe;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto image = Image::fromBytes(hostile::bytesOf(data, size));
  if (!image) {
    hostile::touch(image.error().render());
    return 0;
  }
  hostile::touch(toJson(*image));
  std::vector<Image::CodeBlob> code;
  for (const Code& one : image->code()) {
    const std::string bytes(reinterpret_cast<const char*>(one.bytes.data()), one.bytes.size());
    code.push_back({std::string(one.format), std::string(one.arch), bytes});
  }
  // What was read is written as the same.
  const Image again = Image::build(image->info(), std::move(code));
  hostile::require(again.info() == image->info() && again.code().size() == image->code().size());
  constexpr std::array types = {detail::hostType<unsigned>(), detail::hostType<float*>()};
  for (const EntryPoint& entry : image->info().entries) {
    hostile::require(bool(image->entry(entry.name)));
    (void)detail::checkSignature(entry, types);
  }
  for (const char* name : {"no such kernel", "_Z4noneIfEvPT_", "_Z4movePf"}) (void)image->entry(name);
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed) {
  return hostile::give(hostile::mutatedImage(hostile::textOf(data, size), seed), data, size, maxSize);
}
