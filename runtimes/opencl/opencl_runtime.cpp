// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The "opencl" runtime: the library, opened once, and its devices.
#include <array>
#include <cstdlib>

#include "runtimes/common/gpu/gpu_library.h"
#include "runtimes/opencl/opencl_api.h"

namespace lathe::detail {
namespace {

/// LATHE_OPENCL_LIBRARY alone if it is set: whoever names a library does not want another one in its place.
Result<std::unique_ptr<const OpenClApi>> openLibrary() {
  if (const char* const named = std::getenv("LATHE_OPENCL_LIBRARY"); named && *named)
    return OpenClApi::open({&named, 1});
  static constexpr std::array libraries = {"libOpenCL.so.1", "libOpenCL.so"};
  return OpenClApi::open(libraries);
}

/// Never closed: drivers have threads and exit handlers of their own. A failure is final as well.
const Result<std::unique_ptr<const OpenClApi>>& library() {
  static const auto& api = *new Result<std::unique_ptr<const OpenClApi>>(openLibrary());
  return api;
}

}  // namespace

const Runtime& openclRuntime() {
  static constexpr Runtime runtime = gpuRuntime<library>("opencl");
  return runtime;
}

}  // namespace lathe::detail
