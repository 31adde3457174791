// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/common/kept_code.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdlib>

#include "core/store/cache_folder.h"
#include "core/store/compiled_code.h"
#include "core/store/surroundings.h"
#include "core/support/bytes.h"
#include "core/support/shared_counters.h"

namespace lathe::detail {
namespace {

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

bool isReadOnly() {
  return environment("LATHE_CACHE") == "readonly";
}

void count(int folder, CacheCount what, std::int64_t by) {
  const UniqueDescriptor file(::openat(folder, cache_folder::counts, O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  SharedCounters(file.get(), file.ok()).add(static_cast<std::size_t>(what), by);
}

}  // namespace

KeptCode::KeptCode(const Image& portable, const DeviceInfo& device) {
  if (environment("LATHE_CACHE") == "off") return;
  const std::string_view compiler = environment("LATHE_COMPILER_LIBRARY");
  ByteWriter out;
  out.text(LATHE_VERSION);
  for (const std::string* const text : {&device.runtime, &device.arch, &device.name, &device.driverVersion})
    out.text(*text);
  // Who forbids the compiler takes what the usual one left.
  out.text(compiler == "off" ? "" : compiler);
  const auto bytes = portable.bytes();
  out.text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  question_ = out.take();
}

std::optional<Image> KeptCode::find() const {
  if (question_.empty()) return std::nullopt;
  std::string why;
  const UniqueDescriptor folder = cache_folder::open(cache_folder::usual(), /*make=*/false, why);
  if (!folder.ok()) return std::nullopt;
  struct stat facts{};
  const UniqueDescriptor file = cache_folder::openFile(folder.get(), compiledCodePath(question_), facts);
  if (!file.ok()) return std::nullopt;
  const auto bytes = cache_folder::contentsOf(file.get(), static_cast<std::size_t>(facts.st_size));
  const auto code = bytes ? unpackCompiledCode(*bytes) : std::nullopt;
  if (!code || code->question != question_ || !stillHolds(code->surroundings)) return std::nullopt;
  auto image = Image::fromBytes(std::as_bytes(std::span(code->image)));
  if (!image) return std::nullopt;
  if (!isReadOnly()) {
    (void)::futimens(file.get(), nullptr);  // what was used lately is removed last
    count(folder.get(), CacheCount::diskHits, 1);
  }
  return *std::move(image);
}

void KeptCode::keep(std::string_view image, std::string_view surroundings) const {
  if (question_.empty() || surroundings.empty() || isReadOnly()) return;
  std::string why;
  const UniqueDescriptor folder = cache_folder::open(cache_folder::usual(), /*make=*/false, why);
  if (!folder.ok()) return;  // the compiler, which was just used, makes it if it may be made
  const std::string bytes =
      packCompiledCode({.question = question_, .surroundings = std::string(surroundings), .image = std::string(image)});
  if (cache_folder::publish(folder.get(), compiledCodePath(question_), bytes))
    count(folder.get(), CacheCount::bytes, static_cast<std::int64_t>(bytes.size()));
}

}  // namespace lathe::detail
