// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The "cuda" runtime: the driver, opened once, and its devices.
#include <array>

#include "runtimes/common/gpu/gpu_library.h"
#include "runtimes/cuda/cuda_api.h"

namespace lathe::detail {
namespace {

/// Never closed: the driver has threads and exit handlers of its own. A failure is final as well, as it is for the
/// driver.
const Result<std::unique_ptr<const CudaApi>>& driver() {
  static constexpr std::array libraries = {"libcuda.so.1", "libcuda.so"};
  static const auto& api = *new Result<std::unique_ptr<const CudaApi>>(CudaApi::open(libraries));
  return api;
}

}  // namespace

const Runtime& cudaRuntime() {
  static constexpr Runtime runtime = gpuRuntime<driver>("cuda");
  return runtime;
}

}  // namespace lathe::detail
