// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loadObject(): an object file describes itself in a section, with which its bytes make an image like any other.
#include <lathe/runtime.h>

#include "core/support/file.h"
#include "runtimes/cpu/loader/object_image.h"

namespace lathe {

Result<Module> loadObject(const std::filesystem::path& path) {
  return loadObject(path, HostSymbols());
}

Result<Module> loadObject(std::span<const std::byte> bytes) {
  return loadObject(bytes, HostSymbols());
}

Result<Module> loadObject(const std::filesystem::path& path, const HostSymbols& symbols) {
  const auto named = [&](Error error) {
    if (error.message.find(path.string()) == std::string::npos) error.message = path.string() + ": " + error.message;
    return error;
  };
  const auto file = detail::MappedFile::open(path);
  if (!file) return named(file.error());
  auto module = loadObject(file->bytes(), symbols);
  if (!module) return named(std::move(module).error());
  return module;
}

Result<Module> loadObject(std::span<const std::byte> bytes, const HostSymbols& symbols) {
  const auto image = detail::imageOfObject(bytes);
  if (!image) return image.error();
  const auto device = Device::open("cpu");
  if (!device) return device.error();
  return device->load(*image, symbols);
}

}  // namespace lathe
