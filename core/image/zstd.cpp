// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A static program has the library in it.
#include "core/image/zstd.h"

#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#ifdef LATHE_STATIC_ZSTD
#include <zstd.h>
#endif

#include "core/support/dynamic_library.h"

namespace lathe::detail {
namespace {

struct Zstd {
#define LATHE_ZSTD(name, result, parameters) result(*name) parameters = nullptr;
#include "core/image/zstd_functions.def"
#undef LATHE_ZSTD

  static Result<Zstd> open() {
    Zstd out;
#ifdef LATHE_STATIC_ZSTD
#define LATHE_ZSTD(name, result, parameters) out.name = ::name;
#include "core/image/zstd_functions.def"
#undef LATHE_ZSTD
#else
    const char* const named = std::getenv("LATHE_ZSTD_LIBRARY");
    const std::vector<const char*> names =
        named && *named ? std::vector{named} : std::vector{"libzstd.so.1", "libzstd.so"};
    // Never closed.
    static auto library = DynamicLibrary::open(names);
    if (!library) {
      Error error = library.error();
      error.message = "fat image: the library " + error.message;
      error.hint = "install libzstd (Debian: libzstd1), or set LATHE_ZSTD_LIBRARY to its file";
      return error;
    }
#define LATHE_ZSTD(name, result, parameters)                                                                     \
  out.name = reinterpret_cast<decltype(out.name)>(library->symbol(#name));                                       \
  if (!out.name) {                                                                                               \
    return Error{.code = ErrorCode::DriverTooOld, .message = fmt::format("fat image: libzstd lacks {}", #name)}; \
  }
#include "core/image/zstd_functions.def"
#undef LATHE_ZSTD
#endif
    return out;
  }

  /// The library of this process.
  static const Result<Zstd>& get() {
    static const auto& zstd = *new Result<Zstd>(open());
    return zstd;
  }
};

}  // namespace

Result<std::string> compressed(std::span<const std::byte> bytes, int level) {
  const auto& zstd = Zstd::get();
  if (!zstd) return zstd.error();
  std::string out(zstd->ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = zstd->ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), level);
  if (zstd->ZSTD_isError(size) != 0)
    return Error{.code = ErrorCode::OutOfHostMemory, .message = "fat image: no memory is left to compress an image"};
  out.resize(size);
  return out;
}

Result<std::optional<std::string>> decompressed(std::span<const std::byte> from, std::uint64_t size) {
  const auto& zstd = Zstd::get();
  if (!zstd) return zstd.error();
  if (zstd->ZSTD_getFrameContentSize(from.data(), from.size()) != size) return std::optional<std::string>();
  // What says more than its blocks can hold is not worth the memory (RFC 8878, 3.1.1.2: 128 KiB, by 4 bytes at least).
  constexpr std::uint64_t mostOfBlock = 128 * 1024, leastBlock = 4;
  if (size / mostOfBlock > from.size() / leastBlock) return std::optional<std::string>();
  std::optional<std::string> out(std::in_place, size, '\0');
  const std::size_t made = zstd->ZSTD_decompress(out->data(), out->size(), from.data(), from.size());
  if (zstd->ZSTD_isError(made) != 0 || made != size) out.reset();
  return out;
}

}  // namespace lathe::detail
