// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loadObject(): an object file describes itself in a section, with which its bytes make an image like any other.
#include <lathe/runtime.h>

#include "core/support/file.h"
#include "runtimes/cpu/loader/object_image.h"

namespace lathe {
namespace {

/// Errors name the file.
Result<Image> imageOf(const std::filesystem::path& path) {
  auto file = detail::MappedFile::open(path);
  if (!file) return std::move(file).error();
  return detail::imageOfObject(file->bytes());
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
