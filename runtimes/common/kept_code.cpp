// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/common/kept_code.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include <array>
#include <cstdlib>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "core/store/cache_folder.h"
#include "core/store/compiled_code.h"
#include "core/store/surroundings.h"
#include "core/support/bytes.h"
#include "core/support/file.h"
#include "core/support/shared_counters.h"

namespace lathe::detail {
namespace {

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// What the processor has, as it and the kernel say it: code for "native" is compiled for that, and a folder may be
/// other machines' too, or that of an emulator which calls itself by the same name.
std::string processorFeatures() {
  ByteWriter out;
  for (const unsigned long kind : std::array<unsigned long, 2>{AT_HWCAP, AT_HWCAP2})
    out.number(std::uint64_t{::getauxval(kind)});
#if defined(__x86_64__)
  constexpr std::array<std::array<unsigned, 2>, 4> leaves = {{{1, 0}, {7, 0}, {7, 1}, {0x80000001, 0}}};
  for (const auto& [leaf, subleaf] : leaves) {
    std::array<unsigned, 4> words{};
    (void)__get_cpuid_count(leaf, subleaf, &words[0], &words[1], &words[2], &words[3]);
    if (leaf == 1) words[1] = 0;  // of the core that is asked
    for (const unsigned word : words) out.number(word);
  }
#endif
  return out.take();
}

bool isReadOnly() {
  return environment("LATHE_CACHE") == "readonly";
}

void count(int folder, CacheCount what, std::int64_t by) {
  const UniqueDescriptor file(::openat(folder, cache_folder::counts, O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  SharedCounters(file.get(), file.ok()).add(static_cast<std::size_t>(what), by);
}

}  // namespace

bool KeptBytes::isEnabled() {
  return environment("LATHE_CACHE") != "off";
}

std::optional<std::string> KeptBytes::find() const {
  if (question_.empty()) return std::nullopt;
  std::string why;
  const UniqueDescriptor folder = cache_folder::open(cache_folder::usual(), /*make=*/false, why);
  if (!folder.ok()) return std::nullopt;
  struct stat facts{};
  const UniqueDescriptor file = cache_folder::openFile(folder.get(), compiledCodePath(question_), facts);
  if (!file.ok()) return std::nullopt;
  const auto bytes = contentsOf(file.get(), static_cast<std::size_t>(facts.st_size));
  auto code = bytes ? unpackCompiledCode(*bytes) : std::nullopt;
  if (!code || code->question != question_ || !stillHolds(code->surroundings)) return std::nullopt;
  if (!isReadOnly()) {
    (void)::futimens(file.get(), nullptr);  // what was used lately is removed last
    count(folder.get(), CacheCount::diskHits, 1);
  }
  return std::move(code->image);
}

void KeptBytes::keep(std::string_view bytes, std::string_view surroundings, bool make) const {
  if (question_.empty() || surroundings.empty() || isReadOnly()) return;
  std::string why;
  const UniqueDescriptor folder = cache_folder::open(cache_folder::usual(), make, why);
  if (!folder.ok()) return;
  if (make) (void)::mkdirat(folder.get(), cache_folder::temporaries, 0700);  // what the compiler makes in its own
  const std::string file =
      packCompiledCode({.question = question_, .surroundings = std::string(surroundings), .image = std::string(bytes)});
  if (cache_folder::publish(folder.get(), compiledCodePath(question_), file))
    count(folder.get(), CacheCount::bytes, static_cast<std::int64_t>(file.size()));
}

KeptCode::KeptCode(const Image& portable, const DeviceInfo& device) {
  if (!KeptBytes::isEnabled()) return;
  const std::string_view compiler = environment("LATHE_COMPILER_LIBRARY");
  ByteWriter out;
  out.text(LATHE_VERSION);
  for (const std::string* const text : {&device.runtime, &device.arch, &device.name, &device.driverVersion})
    out.text(*text);
  if (device.arch == "native") out.text(processorFeatures());
  // Who forbids the compiler takes what the usual one left.
  out.text(compiler == "off" ? "" : compiler);
  const auto bytes = portable.bytes();
  out.text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  bytes_ = KeptBytes(out.take());
}

std::optional<Image> KeptCode::find() const {
  const auto bytes = bytes_.find();
  if (!bytes) return std::nullopt;
  auto image = Image::fromBytes(std::as_bytes(std::span(*bytes)));
  if (!image) return std::nullopt;
  return *std::move(image);
}

}  // namespace lathe::detail
