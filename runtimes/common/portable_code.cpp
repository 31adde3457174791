// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from the runtime library, which has no LLVM, to the compiler's: one C function, found when it is needed.
#include "runtimes/common/portable_code.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "core/support/compiler_entry.h"
#include "core/support/dynamic_library.h"
#include "runtimes/common/kept_code.h"

namespace lathe::detail {
namespace {

Result<CompilerEntry*> findCompiler() {
  // A program that compiles has it in the process already.
  if (void* const known = ::dlsym(RTLD_DEFAULT, compilerEntryName)) return reinterpret_cast<CompilerEntry*>(known);
  const char* const chosen = std::getenv("LATHE_COMPILER_LIBRARY");
  const std::string name = chosen && *chosen ? chosen : "liblathe.so." LATHE_SOVERSION;
  const auto missing = [&](std::string_view why) {
    return Error{.code = ErrorCode::ToolMissing,
                 .message = fmt::format("compiler: {}: {}", name, why),
                 .hint = "install Lathe's compiler, or compile the kernels for this device beforehand"};
  };
  if (name == "off") return missing("LATHE_COMPILER_LIBRARY switches it off");
  const std::array names = {name.c_str()};  // beside this library, or where the system looks
  auto library = DynamicLibrary::open(names);
  if (!library) return missing(library.error().notes.front().message);
  void* const entry = library->symbol(compilerEntryName);
  if (!entry) return missing("it is no library of Lathe's compiler, or an older one");
  library->keepOpen();  // what it was asked for may still run
  return reinterpret_cast<CompilerEntry*>(entry);
}

struct Answer {
  std::string image, surroundings, error;
};

}  // namespace

Result<Image> portableImage(const FatImage& images) {
  constexpr std::string_view portable = "portable";
  for (std::size_t i = 0; i < images.entries().size(); ++i) {
    if (images.entries()[i].target == portable) return images.image(i);
  }
  return Error{.code = ErrorCode::InvalidArgument, .message = "the fat image has no portable IR"};
}

Result<Image> compiledFor(const DeviceInfo& device, const Image& portable) {
  const auto compiler = findCompiler();
  if (!compiler) return compiler.error();
  Answer answer;
  const auto deliver = [](void* to, const CompilerAnswer& given) {
    auto& out = *static_cast<Answer*>(to);
    out.image.assign(given.image, given.imageBytes);
    out.surroundings.assign(given.surroundings, given.surroundingsBytes);
    out.error = given.error;
  };
  const auto bytes = portable.bytes();
  (*compiler)(reinterpret_cast<const char*>(bytes.data()), bytes.size(), device.runtime.c_str(), device.arch.c_str(),
              deliver, &answer);
  if (!answer.error.empty())
    return Error{.code = ErrorCode::IncompatibleDevice, .message = answer.error, .target = device.runtime};
  auto image = Image::fromBytes(std::as_bytes(std::span(answer.image)));
  if (image) KeptCode(portable, device).keep(answer.image, answer.surroundings);
  return image;
}

}  // namespace lathe::detail
