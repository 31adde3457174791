// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The "hip" runtime: AMD's library, opened once, and its devices.
#include <array>
#include <cstdlib>

#include "runtimes/common/gpu/gpu_library.h"
#include "runtimes/hip/hip_api.h"

namespace lathe::detail {
namespace {

/// LATHE_HIP_LIBRARY alone if it is set: whoever names a library does not want another one in its place.
Result<std::unique_ptr<const HipApi>> openLibrary() {
  if (const char* const named = std::getenv("LATHE_HIP_LIBRARY"); named && *named) return HipApi::open({&named, 1});
  static constexpr std::array libraries = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so",
                                           "/opt/rocm/lib/libamdhip64.so"};
  return HipApi::open(libraries);
}

/// Never closed: the runtime has threads and exit handlers of its own. A failure is final as well, as it is for the
/// runtime.
const Result<std::unique_ptr<const HipApi>>& library() {
  static const auto& api = *new Result<std::unique_ptr<const HipApi>>(openLibrary());
  return api;
}

}  // namespace

const Runtime& hipRuntime() {
  static constexpr Runtime runtime = gpuRuntime<library>("hip");
  return runtime;
}

}  // namespace lathe::detail
