// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver API: tensor maps.
#include "runtimes/cuda/cuda_api.h"

namespace lathe::detail {

GpuApi::Status CudaApi::encodeTensorMap(TensorMap& out, void* address, const TensorShape& shape) const {
  if (!TensorMapEncodeTiled) return unsupported;
  const unsigned promotion = shape.cacheBytes == 0 ? 0 : shape.cacheBytes == 64 ? 1 : shape.cacheBytes == 128 ? 2 : 3;
  return TensorMapEncodeTiled(&out, static_cast<int>(shape.element), static_cast<std::uint32_t>(shape.extents.size()),
                              address, shape.extents.data(), shape.strides.data(), shape.tile.data(),
                              shape.steps.data(), static_cast<int>(shape.interleave), static_cast<int>(shape.swizzle),
                              static_cast<int>(promotion), shape.nanOutside ? 1 : 0);
}

}  // namespace lathe::detail
