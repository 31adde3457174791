// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors of targets: YAML, read, checked and resolved for a few architectures. One that extends another gets a
// small base.
#include "core/descriptor/descriptor.h"
#include "hostile.h"
#include "text_pieces.h"

using namespace lathe;

namespace {

Result<detail::DescriptorFile> noBase(std::string_view name) {
  return Error{.code = ErrorCode::UnknownTarget, .message = "no target '" + std::string(name) + "'"};
}

Result<detail::DescriptorFile> smallBase(std::string_view name) {
  return detail::DescriptorFile::load("name: " + std::string(name) + "\ntriple: x86_64-unknown-linux-gnu\n",
                                      "base.yaml", noBase);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = detail::DescriptorFile::load(
      std::string(hostile::textOf(data, size)), "hostile.yaml",
      [](std::string_view name) { return name == "base" ? smallBase(name) : noBase(name); });
  if (!file) {
    hostile::touch(file.error().render());
    return 0;
  }
  hostile::touch(file->name());
  (void)file->architectureNames();
  for (const char* arch : {"", "sm_90", "gfx1100", "x86-64-v3", "generic"}) {
    const auto resolved = file->resolved(arch);
    if (!resolved)
      hostile::touch(resolved.error().render());
    else
      (void)file->whereSet({"kernel", "state"}, **resolved);
  }
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed) {
  return hostile::give(hostile::mutatedText(std::string(hostile::textOf(data, size)), seed), data, size, maxSize);
}
