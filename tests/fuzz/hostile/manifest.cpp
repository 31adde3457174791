// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is written about an object: manifest and headers, of an image with any names and layouts in it. The manifest is
// JSON whatever it holds.
#include <algorithm>

#include <lathe/image.h>
#include <nlohmann/json.hpp>

#include "core/image/interface.h"
#include "hostile.h"
#include "image_bytes.h"

using namespace lathe;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto image = Image::fromBytes(hostile::bytesOf(data, size));
  if (!image) return -1;
  const ImageInfo& info = image->info();
  detail::ObjectInterface interface;
  interface.triple = info.target;
  interface.externals = info.requires_;
  for (const EntryPoint& entry : info.entries) interface.hostStubs.push_back(detail::cIdentifier(entry.name));
  for (const EntryPoint& entry : std::span(info.entries).first(std::min<std::size_t>(info.entries.size(), 1))) {
    const TypeLayout result = entry.parameters.empty() ? TypeLayout() : entry.parameters.front().type;
    interface.functions.push_back({detail::cIdentifier(entry.symbol), result, entry.parameters});
  }
  hostile::require(nlohmann::json::accept(detail::manifest(info, interface)));
  hostile::touch(detail::cHeader(info, interface));
  hostile::touch(detail::cxxHeader(info, interface));
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed) {
  return hostile::give(hostile::mutatedImage(hostile::textOf(data, size), seed), data, size, maxSize);
}
