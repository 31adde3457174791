// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder of a cache, as the compiler's library and the runtime's see it: where it is, who may have written what is
// read there, and how a file appears in it. No LLVM.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/support/unique_descriptor.h"

namespace lathe::detail {

/// What is counted, over all processes and since the folder was made or cleared. The order is that of the file
/// `counts`: new ones come last.
enum class CacheCount : std::uint8_t {
  memoryHits,
  diskHits,
  misses,
  stores,
  damaged,
  evicted,
  bytes,
  remoteHits,
  remoteFailures,
  uploads,
  end
};

namespace cache_folder {

inline constexpr const char* temporaries = "tmp";
inline constexpr const char* counts = "counts";

/// $LATHE_CACHE_DIR, else $XDG_CACHE_HOME/lathe, else $HOME/.cache/lathe; empty: no variable names one.
[[nodiscard]] std::filesystem::path usual();
/// Opens a folder, which belongs to the user or root and which no other may write to; makes it if `make` is set. Not
/// ok: there is none, with the reason in `why`.
[[nodiscard]] UniqueDescriptor open(const std::filesystem::path& folder, bool make, std::string& why);
/// Opens a file below that only the user or root can have written. Not ok: there is none, or none to be trusted; then
/// `why`, if it is wanted, says so.
[[nodiscard]] UniqueDescriptor openFile(int folder, const std::string& path, struct stat& facts,
                                        std::string* why = nullptr);
/// Puts a file there, and the folder that it lies in: under another name first, which is locked, so that one that
/// nobody has locked is a dead process's. False: it cannot be.
[[nodiscard]] bool publish(int folder, const std::string& path, std::string_view bytes);

}  // namespace cache_folder
}  // namespace lathe::detail
